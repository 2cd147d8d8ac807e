// The field to search in, without a network. The index is a script, because a
// browser reads no JSON from a folder, and is loaded with the first letter.
document.addEventListener("DOMContentLoaded", function () {
  const field = document.getElementById("search-input");
  if (!field) return;
  field.setAttribute("aria-label", "Search");
  const home = field.dataset.searchIndex.replace(/search\.json$/, "");
  const list = document.createElement("ul");
  list.className = "found";
  field.form.append(list);
  field.form.addEventListener("submit", function (event) {
    event.preventDefault();
    const first = list.querySelector("a");
    if (first) first.click();
  });

  const sections = () => window.linkrank_sections || [];

  // All words must be there; those of a title count more than those of a text.
  function worth(section, words) {
    const places = [[section.title, 9], [section.what, 4],
                    [section.text + " " + section.code, 1]];
    return words.map(word => places.reduce((most, [text, points]) =>
      String(text).toLowerCase().includes(word) ? Math.max(most, points) : most,
      0)).reduce((sum, points) => points ? sum + points : -Infinity, 0);
  }

  function entry(section) {
    const link = document.createElement("a");
    link.href = home + section.path.replace(/^\//, "") +
      (typeof section.id === "string" ? "#" + section.id : "");
    link.textContent = [...new Set([section.title, section.what])]
      .filter(Boolean).join(": ");
    link.addEventListener("click", () => { list.replaceChildren(); });
    const item = document.createElement("li");
    item.append(link);
    return item;
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/)
      .filter(word => word.length > 1);
    const seen = {};
    const found = words.length === 0 ? [] : sections()
      .map(section => [worth(section, words), section])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .filter(([, section]) => // at most three of a page
        (seen[section.path] = (seen[section.path] || 0) + 1) <= 3)
      .slice(0, 12).map(([, section]) => entry(section));
    if (words.length && sections().length && !found.length) {
      found.push(Object.assign(document.createElement("li"),
                               {textContent: "Nothing found."}));
    }
    list.replaceChildren(...found);
  }

  field.addEventListener("input", function () {
    if (!document.getElementById("search-index")) {
      const index = document.createElement("script");
      index.id = "search-index";
      index.src = home + "search.js";
      index.onload = show;
      document.head.append(index);
    }
    show();
  });
  field.form.addEventListener("keydown", function (event) {
    if (event.key === "Escape") list.replaceChildren();
  });
});
