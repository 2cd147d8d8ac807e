// Sends the action of the clicked element, or of the element for a key.
// An action names its pair and the number of answers, so an action that comes
// too late does nothing.
(function () {
  var ended = null;
  var words = {};

  function send(element) {
    if (!element || element.disabled || !element.dataset.act) return;
    Shiny.setInputValue("act", JSON.parse(element.dataset.act),
                        {priority: "event"});
  }

  function closest(event, what) {
    return event.target.closest ? event.target.closest(what) : null;
  }

  document.addEventListener("click", function (event) {
    var zoom = closest(event, "[data-zoom]");
    if (zoom) return enlarge(zoom);
    var press = closest(event, "[data-press]");
    if (press) return document.getElementById(press.dataset.press).click();
    send(closest(event, "[data-act]"));
    var dialog = document.getElementById("zoom");
    if (dialog.open) dialog.close();
  });

  function enlarge(button) {
    var dialog = document.getElementById("zoom");
    var image = dialog.querySelector("img");
    image.src = button.dataset.zoom;
    image.alt = button.querySelector("img").alt;
    dialog.showModal();
  }

  // The letter of a key; for keys without a Latin letter (Cyrillic, Greek) the
  // letter at the same position.
  function letter(event) {
    var key = (event.key || "").toLowerCase();
    if (key === "?") return "u";
    if (/^[a-z]$/.test(key)) return key;
    return (event.code || "").replace(/^Key/, "").toLowerCase();
  }

  function go(key) {
    var done = document.getElementById("done");
    var list = document.getElementById("list");
    if (key === "q" && done) done.focus();
    if (key === "l") {
      list.open = true;
      (list.querySelector("#answers button") || list.firstElementChild).focus();
    }
  }

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (closest(event, "input, textarea, select, dialog")) return;
    if (event.key === "Escape") {
      return send(document.querySelector(".given-before .back") ||
                  document.querySelector(".conflict > [data-act]"));
    }
    var key = letter(event);
    go(key);
    // beside a contradiction, only keys for an answer that is shown again
    if (document.querySelector(".conflict") &&
        !document.querySelector(".given-before")) return;
    send(document.querySelector("[data-key='" + key + "']"));
  });

  // folded elements are drawn when they are unfolded; toggle does not bubble
  document.addEventListener("toggle", function (event) {
    if (event.target.classList.contains("folded") && event.target.open) {
      Shiny.setInputValue("unfolded", true);
    }
  }, true);

  // the new question, in one line, for screen readers; shiny signals its events
  // by jQuery
  $(document).on("shiny:value", function (event) {
    if (event.name !== "question") return;
    var folded = document.querySelector("#question .folded");
    var open = folded && folded.open;
    setTimeout(function () {
      var line = document.querySelector("#question .announced");
      document.getElementById("announced").textContent = line ?
        line.textContent : words.finished;
      folded = document.querySelector("#question .folded");
      if (folded && open) folded.open = true;
    });
  });

  // What is true when the connection is gone. R keeps the state, so the page is
  // loaded again as soon as R answers.
  function lost() {
    var status = document.querySelector("#saved [data-kept]");
    var kept = status ? status.dataset.kept : "memory";
    var text = words["lost_" + kept] || words.lost_memory;
    return text.replace("{count}", status ? status.dataset.count : "");
  }

  function retry() {
    fetch(window.location.href, {cache: "no-store"}).then(function (answer) {
      if (answer.ok) window.location.reload();
      else setTimeout(retry, 2000);
    }, function () { setTimeout(retry, 2000); });
  }

  function attach() {
    Shiny.addCustomMessageHandler("ended", function (message) {
      ended = {own: "ended", other: "ended_elsewhere", saved: "saved_own"}[
        message.how];
    });
  }

  $(document).on("shiny:disconnected", function () {
    var gone = document.getElementById("gone");
    gone.hidden = false;
    if (ended) {
      gone.textContent = words[ended];
      return;
    }
    gone.textContent = lost();
    setTimeout(retry, 1000);
  });

  // a new panel gets the focus, so that it is read aloud (this file is
  // read in the head, before there is a body)
  document.addEventListener("DOMContentLoaded", function () {
    attach();
    words = JSON.parse(document.getElementById("words").textContent);
    new MutationObserver(function () {
      var panel = document.querySelector(".conflict");
      if (!panel || panel.contains(document.activeElement)) return;
      panel.focus();
      panel.scrollIntoView({block: "nearest"});
    }).observe(document.getElementById("conflict"), {childList: true});
  });
})();
