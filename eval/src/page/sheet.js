"use strict";
{
  const bar = document.querySelector(".bar");
  const button = bar.querySelector("button");
  const again = document.querySelector(".again");
  const questions = [...document.querySelectorAll("fieldset")];
  const opener = (question) => question.querySelector(".fold");
  const isOpen = (question) => opener(question).getAttribute("aria-expanded") === "true";

  // What is ticked is kept in the browser, for this page with these words.
  const key = (() => {
    let hash = 0;
    for (const section of document.querySelectorAll("section"))
      for (const unit of section.textContent) hash = (Math.imul(hash, 31) + unit.codePointAt(0)) | 0;
    return `storysim ${location.pathname} ${hash}`;
  })();
  let isKept = true;
  let isSaved = true;

  // From the id of a question to its ticked choice, and those whose answers were unfolded.
  const ticked = new Map();
  const seen = new Set();

  const keep = () => {
    try {
      localStorage.setItem(key, JSON.stringify({ ticked: [...ticked], seen: [...seen] }));
    } catch {
      isKept = false;
    }
  };

  const kept = () => {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? {};
    } catch {
      return {};
    }
  };

  const count = () => {
    bar.querySelector("output").value = `${ticked.size} of ${questions.length} ticked`;
    button.disabled = ticked.size === 0;
    again.hidden = ticked.size + seen.size === 0;
  };

  // Marks, in a text, what is told with its unfolded answers.
  const mark = (section) => {
    const marks = new Set();
    for (const question of section.querySelectorAll("fieldset"))
      if (isOpen(question)) question.dataset.marks.split(" ").forEach((of) => marks.add(of));
    for (const part of section.querySelectorAll(".part")) part.classList.toggle("marked", marks.has(part.dataset.mark));
  };

  // Where the text stands beside its questions, it is scrolled to what settles this one; the page stays where it is.
  const reveal = (question) => {
    const passage = question.closest("section").querySelector(".passage");
    const marks = question.dataset.marks.split(" ");
    const part = [...passage.querySelectorAll(".part")].find((part) => marks.includes(part.dataset.mark));
    if (!part || passage.scrollHeight <= passage.clientHeight) return;
    const above = part.getBoundingClientRect().top - passage.getBoundingClientRect().top;
    passage.scrollTop += above - passage.clientHeight / 3;
  };

  // Whoever has seen the answer can no longer give it.
  const lock = (question) => {
    question.querySelectorAll("input").forEach((choice, at) => {
      choice.disabled = true;
      const isRight = at === Number(question.dataset.label);
      choice.parentElement.classList.toggle("right", isRight);
      choice.parentElement.classList.toggle("wrong", choice.checked && !isRight);
    });
  };

  const unfold = (question) => {
    opener(question).setAttribute("aria-expanded", "true");
    opener(question).after(question.querySelector("template").content.cloneNode(true));
  };

  const fold = (question) => {
    opener(question).setAttribute("aria-expanded", "false");
    question.querySelector("dl")?.remove();
  };

  document.addEventListener("click", ({ target }) => {
    if (!target.matches(".fold")) return;
    const question = target.closest("fieldset");
    if (isOpen(question)) fold(question);
    else {
      unfold(question);
      lock(question);
      seen.add(question.name);
      keep();
      count();
    }
    mark(question.closest("section"));
    if (isOpen(question)) reveal(question);
  });

  // A drawing gives away the answers to all that is asked about its text.
  for (const drawing of document.querySelectorAll(".drawing"))
    drawing.addEventListener("toggle", () => {
      if (!drawing.open) return;
      for (const question of drawing.closest("section").querySelectorAll("fieldset")) {
        lock(question);
        seen.add(question.name);
      }
      keep();
      count();
    });

  document.addEventListener("change", ({ target }) => {
    if (target.type !== "radio") return;
    ticked.set(target.name, target.value);
    isSaved = false;
    keep();
    count();
  });

  bar.addEventListener("submit", (event) => {
    event.preventDefault();
    const those = questions.filter(({ name }) => ticked.has(name));
    const lines = those.map(({ name }) => JSON.stringify({ id: name, response: `Answer: ${ticked.get(name)}` }) + "\n");
    const name = bar.elements.who.value.trim().replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^\.+/, "") || "responses";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
    link.download = `${name}.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    isSaved = true;
  });

  again.addEventListener("click", () => {
    if (!confirm("Forget everything that is ticked on this page?")) return;
    ticked.clear();
    seen.clear();
    keep();
    show();
    scrollTo(0, 0);
  });

  // Shows the questions as they were left, whatever the browser itself remembers of them.
  const show = () => {
    for (const question of questions) {
      fold(question);
      for (const choice of question.querySelectorAll("input")) {
        choice.checked = ticked.get(question.name) === choice.value;
        choice.disabled = false;
        choice.parentElement.classList.remove("right", "wrong");
      }
      if (seen.has(question.name)) lock(question);
    }
    document.querySelectorAll("section").forEach(mark);
    count();
  };

  // What is kept is lost neither by leaving nor by reloading, so only what is not kept needs a warning.
  addEventListener("beforeunload", (event) => {
    if (!isSaved && !isKept) event.preventDefault();
  });

  const { ticked: before = [], seen: unfolded = [] } = kept();
  before.forEach(([id, choice]) => ticked.set(id, choice));
  unfolded.forEach((id) => seen.add(id));
  show();
  // Some browsers tick boxes again after scripts have run.
  addEventListener("pageshow", show);
}
