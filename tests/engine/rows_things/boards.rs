//! Boards with what the built-in ones lack.

/// What no built-in board has: closed containers, hands, who knows where something is, distraction, peeking, notes
/// of several sentences, names that JSON has to escape.
pub const WORKSHOP: &str = r#"
storysim: 1
name: workshop
characters: {pool: [Ann, Bob, "Dora \"D\"", Émile, "Back\\slash"], count: 4}
roles: [S1, S2, T]
places: {complete: [the_kitchen, the_garden, the_hall]}
start: {T: the_garden, else: the_kitchen}
containers: {tool_chest: {in: the_kitchen, is: closed}, "Zoe's box": the_kitchen, tin: {in: the_garden, is: closed}}
objects:
  marble: {in: [tool_chest, "Zoe's box", the_garden, S1]}
  brass_key: {in: [tool_chest, tin], known: [S1, T]}
  lamp: {in: the_hall, known: none}
play: {move: 4, take: 2, put: 2, move_object: 2, carry: 1, throw: 1, give: 2, open: 2, close: 1}
horizon: 16
verb: [enters, steps into]
events:
  - {at: 3, note: "{S1} hums."}
  - {at: 4, distracted: S2}
  - {at: 6, distracted: {who: S1, noticed: true}}
  - {from: 8, until: 10, peek: T}
  - {at: 10, note: "Is it late? Nobody says so!"}
questions:
  - belief: [S1, marble]
  - belief: [S2, S1, marble]
  - belief: [S1, S2, brass_key]
  - knows: [S1, S2, brass_key]
  - who_knows: brass_key
  - could_answer: [S1, marble]
  - could_answer: lamp
  - start: brass_key
  - {belief: [S1, marble], before: 9}
  - {reality: marble, without: 7}
  - {belief: [S2, S1, marble], without: 5}
  - {knows: [S2, S1, marble], before: 12}
  - belief: [S2, S1, T]
  - {could_answer: [S1, T], before: 13}
  - world: [S1, T]
  - who_knows: T
"#;

/// What no built-in board has of what people say: half-known and wrongly known propositions, tellings of all kinds
/// and all things, overheard and missed; under each rule of trust.
pub const TALK: &str = r#"
storysim: 1
name: talk
characters: {pool: people, count: 4}
roles: [S1, S2, T]
places: {complete: [the_kitchen, the_garden]}
start: the_kitchen
bind: {first: {}}
containers: {chest: {in: the_kitchen, is: closed}, tin: the_garden}
objects:
  marble: {in: [chest, tin], known: [S1]}
  ring: {in: [S2, the_garden]}
propositions:
  gift:
    says: "the gift for {S1} is a bicycle"
    denies: "the gift for {S1} is a book"
    known: [S2]
    wrong: [T]
  fog: {says: "there is fog over {first}"}
attitudes: [oil_painting, "Zoe's statue"]
trust: TRUST
play: {move: 4, tell: 3, lie: 2, whisper: 2, phone: 2, react: 1, take: 1, put: 1}
horizon: 16
events:
  - {at: 5, distracted: T}
  - {at: 9, tell: {who: S2, to: present, that: gift}}
  - {at: 10, peek: T}
  - {at: 12, distracted: {who: S1, noticed: true}}
questions:
  - belief: [S1, gift]
  - belief: [S2, S1, gift]
  - reality: gift
  - knows: [S2, T, gift]
  - who_knows: gift
  - could_answer: [S1, gift]
  - could_answer: fog
  - belief: [S1, S2, marble]
  - belief: [T, S2, ring]
  - who_likes: [S1, oil_painting]
  - who_dislikes: [S2, S1, "Zoe's statue"]
  - who_likes: oil_painting
  - {belief: [S1, T, gift], before: 10}
  - {belief: [T, fog], without: 6}
  - {reality: gift, before: 3}
  - {who_knows: marble, without: 8}
  - {who_dislikes: [T, oil_painting], before: 14}
  - belief: [T, S1]
"#;
