//! The rules by which the people of stories perceive and think, as readers are told them.

/// Rules, each with its key in a wording and its plain words.
macro_rules! reader_rules {
    ($($rule:ident $key:literal: $plain:literal;)*) => {
        /// A rule that the readers of a story may have to know.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ReaderRule {
            $(#[doc = $plain] $rule,)*
        }

        impl ReaderRule {
            /// All rules, in the order in which readers are told them.
            pub const ALL: &'static [Self] = &[$(Self::$rule),*];

            /// The key under which a wording has the rule.
            pub const fn key(self) -> &'static str {
                match self { $(Self::$rule => $key),* }
            }

            /// The rule in plain words.
            ///
            /// ```
            /// use storysim::form::ReaderRule;
            /// assert_eq!(ReaderRule::Chatted.plain(), "Small talk tells nobody anything.");
            /// ```
            pub const fn plain(self) -> &'static str {
                match self { $(Self::$rule => $plain),* }
            }
        }
    };
}

reader_rules! {
    // What everyone knows at the start.
    AllKnown "all_known": "Everyone knows all of this, and knows that everyone does.";
    RestKnown "rest_known": "Everything else that is said here everyone knows, and knows that everyone does.";
    Secrets "secrets": "Where it says that only some know something, everyone knows who has an idea of it and who has none. \
        Those who have an idea take each other to think what they think themselves. Those who have none cannot tell what the \
        others think.";
    OwnTastes "own_tastes": "At the start people know what they like or dislike themselves, and have no idea what anyone \
        else likes or dislikes; everyone knows that.";
    TellsAll "tells_all": "The story tells everything that happens, one thing after another.";
    Scenarios "scenarios": "When a new scenario begins, everyone is where they were when the last one ended.";

    // Who sees what.
    SeePeople "see_people": "People who are in the same place see each other.";
    SeeLids "see_lids": "People who are in the same place see each other, and which containers there are open.";
    SeeThings "see_things": "People who are in the same place see each other and all things that are there.";
    SeeOpenThings "see_open_things": "People who are in the same place see each other and all things that are there, in \
        containers or not.";
    SeeAll "see_all": "People who are in the same place see each other, which containers there are open, and all things that \
        are there, but for what is in a closed container.";
    Going "going": "When someone goes from one place to another, those in the place they leave see where they go, those in \
        the place they come to see where they come from, and nobody else notices.";
    Handled "handled": "Whatever someone does with a thing is seen by everyone in the same place, and nobody else notices.";
    WhereItWas "where_it_was": "Those who see that a thing is taken or moved also see where it was.";
    Thrown "thrown": "When a thing is thrown to another place, those there see it too, and who threw it from where.";
    Given "given": "Someone who takes or carries a thing, or is given it, has it in hand from then on; people who go \
        somewhere take along what they have in hand, and those who see them go see that.";
    Hands "hands": "Someone who takes or carries a thing has it in hand from then on; people who go somewhere take along what \
        they have in hand, and those who see them go see that.";
    Revealed "revealed": "What someone reveals is so: everyone in the same place sees that it is, and nobody else notices.";
    Announced "announced": "What someone announces is so from then on: everyone in the same place hears it and thinks so, and \
        nobody else notices. If no person is named as its cause, nobody has brought it about.";
    Chatted "chatted": "Small talk tells nobody anything.";
    LookForPeople "look_for_people": "When someone comes to a place, everyone there sees who is there then, and who is not.";
    LookForAll "look_for_all": "When someone comes to a place, everyone there sees who and what is there then, and who and \
        what is not.";
    OpenForPeople "open_for_people": "When someone comes to a place or opens a container there, everyone there sees who is \
        there then, and who is not.";
    OpenForAll "open_for_all": "When someone comes to a place or opens a container there, everyone there sees who and what is \
        there then, and who and what is not, in open containers too.";
    NoOtherLook "no_other_look": "Nobody looks round like this at any other time.";
    Shown "shown": "When people show what they like or dislike, it is so, and everyone in the same place sees it.";

    // What they go on thinking, and conclude.
    PeopleStay "people_stay": "People think that others are where they last knew them to be.";
    AllStays "all_stays": "People think that others and things are where they last knew them to be.";
    UntilTold "until_told": "Until they see or hear otherwise, people go on thinking what they think, and that others think \
        what they took them to think.";
    UntilSeen "until_seen": "Until they see otherwise, people go on thinking what they think, and that others think what they \
        took them to think.";
    UntilNews "until_news": "Until they hear otherwise, people go on thinking what they think.";
    MissAny "miss_any": "Someone may miss a person or a thing where they thought it was, or find one where they did not think \
        it was, or see one come from such a place. Each time they conclude that this person or thing moved unseen, once, just \
        before they noticed. They conclude that those whom they take to have been where they thought it was saw it leave, but \
        they cannot tell where these now think it is. They conclude that those whom they take to have been where it turns out \
        to have been saw it come, and that a person who came saw who and what was there, and who and what was not. About \
        anyone else they conclude nothing. If several people or things moved unseen, they cannot tell which moved first, and \
        so not who of them saw another leave or come. Someone who misses a person or a thing has no idea where it is. Until \
        they learn where, they suppose that nobody finds it, and that a person whom they miss sees nothing.";
    MissHolders "miss_holders": "If someone moved unseen, and so did a thing that this person had in hand, people suppose \
        that the thing left this person's hands before the person moved, but not that it stayed in the place that the person \
        left.";
    MissPeople "miss_people": "Someone may miss a person where they thought this person was, or find a person where they did \
        not think this person was, or see a person come from such a place. Each time they conclude that this person moved \
        unseen, once, just before they noticed. They conclude that those whom they take to have been where they thought this \
        person was saw the person leave, but they cannot tell where these now think the person is. They conclude that those \
        whom they take to have been where this person turns out to have been saw the person come, and that the person saw who \
        was there, and who was not. About anyone else they conclude nothing. If several people moved unseen, they cannot tell \
        who moved first, and so not whether one of them saw another leave or come. Someone who misses a person has no idea \
        where this person is. Until they learn where, they suppose that this person sees nobody and is seen by nobody.";
    ToldOfAny "told_of_any": "Someone who is told that a person or a thing is elsewhere, and believes it, concludes in the \
        same way that those who were where they thought it was saw it leave, but nothing about where it is now.";
    ToldOfPeople "told_of_people": "Someone who is told that a person is elsewhere, and believes it, concludes in the same \
        way that those who were where they thought this person was saw the person leave, but nothing about where the person \
        is now.";
    Lids "lids": "The same goes for whether a container is open.";
    OwnHands "own_hands": "People know what they have in hand, and everyone knows that they do.";

    // What they hear, and believe of it.
    HeardByAll "heard_by_all": "What is told to everyone in a place is heard by all who are there, and by nobody else, and \
        they know that all of them hear it.";
    Whispered "whispered": "What is whispered is heard by those to whom it is whispered, and they know that all of them hear \
        it; nobody else notices.";
    Phoned "phoned": "What is said on the phone is heard by those who are called, and they know that all of them hear it, but \
        not from where; nobody else notices.";
    TrustAlways "trust_always": "People believe whatever others tell them, even if they have seen otherwise, and then take \
        the speaker to think so too.";
    TrustNever "trust_never": "People do not believe what others tell them, and conclude nothing from it.";
    TrustUnlessKnown "trust_unless_known": "People believe what others tell them, unless they think something else because \
        they have seen it or have known it from the start. Then they go on thinking that, and conclude nothing from what they \
        are told. Those who believe it take the speaker to think so too. If they did not before, they suppose that the speaker \
        was told so and did not see it. Someone who cannot tell what a person thinks cannot tell either whether this person \
        believes what is said.";
    TrustLater "trust_later": "People who are told that someone or something is in a place, or in a container in that place, \
        believe it if they think that the speaker was in that place later than they were themselves (whoever is there now \
        counts as the latest, whoever never was there as the earliest; if both are there now, or neither ever was, neither \
        was there later), and then take the speaker to think so too; else they conclude nothing from it.";
    HearersSaw "hearers_saw": "Whoever hears an announcement has seen what is so.";
    TrustElse "trust_else": "Anything else that others tell them they believe, unless they think something else because they \
        have seen it or have known it from the start. If they believe it, they take the speaker to think so too; if they did \
        not before, they suppose that the speaker was told so and did not see it.";
    OwnPlace "own_place": "But nobody lets others tell them where they themselves are.";
    OwnThings "own_things": "But nobody lets others tell them what they themselves have in hand.";
    OwnBoth "own_both": "But nobody lets others tell them where they themselves are, or what they have in hand.";
    SpeakersPlace "speakers_place": "Nor do those to whom someone speaks in a place believe that the speaker is elsewhere.";
    ToldIsNoNews "told_is_no_news": "Where the story says that someone “tells” others something, that is no announcement, and \
        what is so stays so.";
    Speakers "speakers": "What speakers think does not change by what they say, whether they think it or not.";

    // What they watch, overhear or miss.
    Peeking "peeking": "Someone who watches from elsewhere sees what is done, but not who and what else is there; someone who \
        overhears something hears it like those to whom it is said. Nobody else takes that into account.";
    Distracted "distracted": "Someone who is distracted learns nothing of what happens meanwhile.";
    Noticed "noticed": "If the others notice that, they know that this person learns nothing of it, and cannot tell whether \
        this person saw what they themselves learn then to have moved unseen.";
    Unnoticed "unnoticed": "If nobody notices that, the others think that this person saw or heard it like everyone there.";

    // What is asked for.
    AskedInAny "asked_in_any": "Asked where a thing is, name the container that it is in; if it is in none, the place where \
        it lies, or where the person is who has it in hand.";
    AskedInContainer "asked_in_container": "Asked where a thing is, name the container that it is in; if it is in none, the \
        place where it lies.";
    AskedInHand "asked_in_hand": "Asked where a thing is, name the place where it lies, or where the person is who has it in \
        hand.";
    ToKnow "to_know": "To know something means to think what is so; so people take those to know it whom they take to think \
        the same about it as they do themselves.";
    Everyone "everyone": "Everyone knows all these rules, and knows that everyone does.";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_and_words_are_all_different() {
        let keys: BTreeSet<&str> = ReaderRule::ALL.iter().map(|rule| rule.key()).collect();
        let words: BTreeSet<&str> = ReaderRule::ALL.iter().map(|rule| rule.plain()).collect();
        assert_eq!((keys.len(), words.len()), (ReaderRule::ALL.len(), ReaderRule::ALL.len()));
        assert!(words.iter().all(|words| words.ends_with('.') && !words.contains("  ")));
    }
}
