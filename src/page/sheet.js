"use strict";
{
  const bar = document.querySelector(".bar");
  const button = bar.querySelector("button");
  const questions = document.querySelectorAll("fieldset").length;
  let unsaved = false;

  const ticked = () => [...document.querySelectorAll("fieldset input:checked")];

  const count = () => {
    const done = ticked().length;
    bar.querySelector("output").value = `${done} of ${questions} ticked`;
    button.disabled = done === 0;
  };

  // Marks, in a text, what is told with its unfolded answers.
  const mark = (section) => {
    const marks = new Set();
    for (const open of section.querySelectorAll("fieldset > details[open]"))
      open.parentElement.dataset.marks.split(" ").forEach((of) => marks.add(of));
    let first = null;
    for (const part of section.querySelectorAll(".part")) {
      part.classList.toggle("marked", marks.has(part.dataset.mark));
      if (part.classList.contains("marked")) first ??= part;
    }
    return first;
  };

  // Where the text stands beside its questions, it is scrolled to what is marked; the page stays where it is.
  const reveal = (part) => {
    const passage = part.closest(".passage");
    if (passage.scrollHeight <= passage.clientHeight) return;
    const above = part.getBoundingClientRect().top - passage.getBoundingClientRect().top;
    passage.scrollTop += above - passage.clientHeight / 3;
  };

  for (const answer of document.querySelectorAll("fieldset > details")) {
    answer.addEventListener("toggle", () => {
      const question = answer.parentElement;
      const first = mark(question.closest("section"));
      if (!answer.open) return;
      // Whoever has seen the answer can no longer give it.
      const choices = [...question.querySelectorAll("input")];
      choices.forEach((choice) => (choice.disabled = true));
      choices[question.dataset.label]?.parentElement.classList.add("right");
      if (first) reveal(first);
    });
  }

  document.addEventListener("change", (event) => {
    if (event.target.type !== "radio") return;
    unsaved = true;
    count();
  });

  bar.addEventListener("submit", (event) => {
    event.preventDefault();
    const lines = ticked().map(({ name, value }) => JSON.stringify({ id: name, response: `Answer: ${value}` }) + "\n");
    const name = bar.elements.who.value.trim().replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^\.+/, "") || "responses";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
    link.download = `${name}.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    unsaved = false;
  });

  addEventListener("beforeunload", (event) => {
    if (unsaved) event.preventDefault();
  });
  // A browser that comes back to the page ticks what was ticked.
  addEventListener("pageshow", count);
  count();
}
