// Sends the action of the clicked element, or of the element for a key.
// An action names its samples and the number of answers, so an action that comes
// too late does nothing.
(function () {
  var ended = null;
  var words = {};

  function send(element) {
    var holder = element && !element.disabled && element.closest("[data-act]");
    if (!holder || holdBack(element)) return;
    var action = JSON.parse(holder.dataset.act);
    if (element.matches(".answer, #undo")) {
      action.number = ++sent;
      setTimeout(sayNoReply, 3000, sent);
      buttons = document.querySelector(".buttons");
      document.body.classList.add("busy");
    }
    var two = holder.querySelectorAll(".join select");
    if (element.value || element.matches("input.choice"))
      action.answer = element.value;
    if (two.length) action.answer = two[0].value + "=" + two[1].value;
    else if (action.what === "add") {
      action.answer = [].map.call(document.querySelectorAll(".also:checked"),
        function (box) { return box.value; }).join(" ");
    } else if (action.what === "answer") {
      action.remark = remark().value;
    }
    action.unfolded = unfolded.has(action.shown || "result");
    act(action);
  }

  function act(action) {
    Shiny.setInputValue("act:linkrank", action, {priority: "event"});
  }

  // Actions have numbers, and R says the number when all that it changes is on the
  // page. Presses of undo wait for that; a key for an answer until the buttons of
  // the action before are drawn anew.
  var sent = 0;
  var taken = 0;
  var buttons = null;
  var undos = 0;

  function isBusy() { return taken < sent && buttons && buttons.isConnected; }

  // What this script says stands until R has taken the next action.
  var own = "";

  function note(text) {
    document.getElementById("notice").textContent = own = text;
  }

  function sayNoReply(number) { if (taken < number) note(words.no_reply); }

  function undo() {
    if (!undos || taken < sent) return;
    var button = document.getElementById("undo");
    undos = button && !button.disabled ? undos - 1 : 0;
    send(button);
  }

  // the questions, named by their samples, whose folded evidence was unfolded
  var unfolded = new Set();

  // Where a picture or a record cannot be shown, only a second press of the same
  // button decides.
  var held = null;

  function holdBack(element) {
    if (!document.querySelector("#question .trouble") ||
        !element.matches(".answer:not(.unsure)") || held === element.dataset.act) {
      held = null;
      return false;
    }
    held = element.dataset.act;
    if (viewer().open) viewer().close();
    note(words.press_again);
    return true;
  }

  // an image that cannot be decoded; errors of images do not bubble
  document.addEventListener("error", function (event) {
    var image = event.target;
    if (!image.matches || !image.matches("#question img")) return;
    var text = document.createElement("p");
    text.className = "trouble";
    text.setAttribute("role", "alert");
    text.textContent = words.no_picture.replace("{why}", words.not_decoded);
    (image.closest(".picture") || image).replaceWith(text);
  }, true);

  // ---- the remark ----

  function remark() { return document.getElementById("remark"); }

  // Text that is typed stays with its question, whatever becomes of the page. No
  // `value`: what was kept; null: nothing any more.
  function store(name, value, where) {
    try {
      var kept = window[where || "sessionStorage"];
      if (value === undefined) return kept.getItem(name);
      if (value) kept.setItem(name, value);
      else kept.removeItem(name);
    } catch (error) { /* no storage: for this page only */ }
    return null;
  }

  // also for later visits
  function keep(name, value) { return store(name, value, "localStorage"); }

  // The field is for the question on the page, or the answer that is shown again.
  function turnRemark() {
    var field = remark();
    var page = document.querySelector("#question [data-pair]");
    field.parentNode.hidden = !page;
    if (!page) return;
    var earlier = page.classList.contains("again");
    if (page.dataset.pair === field.dataset.shown &&
        earlier === ("earlier" in field.dataset)) return;
    // another question begins above what was clicked
    window.scrollTo(0, 0);
    field.dataset.shown = page.dataset.pair;
    field.toggleAttribute("data-earlier", earlier);
    field.value = page.dataset.remark || store("remark " + page.dataset.pair) || "";
  }

  var search = null;

  document.addEventListener("input", function (event) {
    if (event.target === remark()) {
      store("remark " + remark().dataset.shown, remark().value);
    }
    if (event.target.id === "find") {
      clearTimeout(search);
      search = setTimeout(send, 300, event.target);
    }
  });

  document.addEventListener("change", function (event) {
    var field = event.target;
    if (field.matches("#remark[data-earlier]")) {
      store("remark " + field.dataset.shown, null);
      act({what: "remark", remark: field.value, shown: field.dataset.shown});
    } else if (field.matches("select.choice")) send(field.selectedOptions[0]);
    else if (field.matches("input.choice[type=text]")) send(field);
  });

  function closest(event, what) {
    return event.target.closest ? event.target.closest(what) : null;
  }

  document.addEventListener("click", function (event) {
    var zoom = closest(event, "[data-zoom]");
    if (zoom) return enlarge(zoom);
    var mark = closest(event, "button.group-mark");
    if (mark) return nameGroup(mark);
    if (closest(event, ".guide")) return guide().showModal();
    if (closest(event, "#guidelines button")) return guide().close();
    // a dot of the map, by its place: rows of the data stay hidden
    var map = closest(event, ".map svg");
    if (map) {
      var box = map.getBoundingClientRect();
      return act({what: "peek",
                  x: 320 * (event.clientX - box.left) / box.width,
                  y: 240 * (event.clientY - box.top) / box.height});
    }
    var view = closest(event, "[data-view]");
    if (view) return look(view.dataset.view);
    press(closest(event, "button[data-act], .join button"));
  });

  // The mark of a group becomes a field for its name.
  function nameGroup(mark) {
    var field = document.getElementById("naming").content.firstChild.cloneNode();
    var name = mark.querySelector(".group-name");
    field.value = name ? name.textContent : "";
    field.dataset.act = mark.dataset.act;
    mark.replaceWith(field);
    field.focus();
    field.addEventListener("blur", function () { field.replaceWith(mark); });
  }

  function press(button) {
    if (button && button.id === "undo") {
      undos++;
      return undo();
    }
    send(button);
  }

  // ---- both pictures at full size, enlarged and moved in step ----

  // `place`: which picture of a sample; `group`: whose, where samples are sorted
  var view = {scale: 1, x: 0, y: 0, place: 0, group: 0};

  function viewer() { return document.getElementById("zoom"); }

  function enlarge(button) {
    view.place = [].indexOf.call(
      button.parentNode.querySelectorAll(".picture"), button);
    view.group = Math.max(groups().indexOf(button.closest(".card")), 0);
    if (fill() && !viewer().open) viewer().showModal();
    look("fit");
  }

  function groups() {
    return [].slice.call(document.querySelectorAll(".card.side-b"));
  }

  // The pictures of the question, also of the next one while this is open.
  function fill() {
    var found = false;
    var cards = {a: document.querySelector(".card.side-a")};
    view.group = Math.min(view.group, Math.max(groups().length - 1, 0));
    cards.b = groups()[view.group];
    viewer().querySelectorAll("[data-view=before], [data-view=after]")
      .forEach(function (one) { one.hidden = groups().length < 2; });
    ["a", "b"].forEach(function (side) {
      var card = cards[side];
      var all = card ? card.querySelectorAll(".picture") : [];
      var frame = viewer().querySelector(".frame.side-" + side);
      var one = all[Math.min(view.place, all.length - 1)];
      var image = frame.querySelector("img");
      frame.hidden = !one;
      frame.querySelector("figcaption").textContent =
        card ? card.querySelector("h2").textContent.trim() : "";
      if (!one) return;
      found = true;
      image.src = one.dataset.zoom;
      image.alt = one.querySelector("img").alt;
    });
    if (!found && viewer().open) viewer().close();
    return found;
  }

  function draw() {
    viewer().querySelectorAll("img").forEach(function (image) {
      image.style.transform = "translate(" + view.x + "px," + view.y +
        "px) scale(" + view.scale + ")";
    });
  }

  // Enlarges about a point, given from the middle of a frame.
  function zoom(factor, x, y) {
    var scale = Math.min(Math.max(view.scale * factor, 1), 40);
    var by = scale / view.scale;
    view.x = x - (x - view.x) * by;
    view.y = y - (y - view.y) * by;
    view.scale = scale;
    if (scale === 1) view.x = view.y = 0;
    draw();
  }

  function look(what) {
    if (what === "close") return viewer().close();
    if (what === "fit") { view.scale = 1; view.x = view.y = 0; return draw(); }
    if (what === "full") return zoom(fullScale() / view.scale, 0, 0);
    if (what === "before" || what === "after") {
      var count = Math.max(groups().length, 1);
      view.group = (view.group + (what === "after" ? 1 : count - 1)) % count;
      return fill();
    }
    zoom(what === "in" ? 1.5 : 1 / 1.5, 0, 0);
  }

  // The scale at which a pixel of the first picture is a pixel of the screen.
  function fullScale() {
    var image = viewer().querySelector(".frame:not([hidden]) img");
    var shown = Math.min(image.offsetWidth / image.naturalWidth,
                         image.offsetHeight / image.naturalHeight);
    return 1 / (shown * (window.devicePixelRatio || 1));
  }

  var viewKeys = {PageUp: "before", PageDown: "after", "+": "in", "=": "in",
                  "-": "out", "0": "fit"};
  var steps = {ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60],
               ArrowDown: [0, -60]};

  function viewKey(key) {
    if (key === "0" && document.querySelector("[data-key~='0']")) return false;
    if (key in viewKeys) look(viewKeys[key]);
    else if (key in steps) move(steps[key][0], steps[key][1]);
    else return false;
    return true;
  }

  function move(x, y) {
    view.x += x;
    view.y += y;
    draw();
  }

  function middle(event) {
    var frame = closest(event, ".frame div");
    if (!frame) return null;
    var box = frame.getBoundingClientRect();
    return {x: event.clientX - box.left - box.width / 2,
            y: event.clientY - box.top - box.height / 2};
  }

  function followPointers(dialog) {
    var held = {};
    dialog.addEventListener("wheel", function (event) {
      var at = middle(event);
      if (!at) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, at.x, at.y);
    }, {passive: false});
    dialog.addEventListener("pointerdown", function (event) {
      if (!middle(event)) return;
      held[event.pointerId] = event;
      event.preventDefault();
    });
    dialog.addEventListener("pointermove", function (event) {
      var before = held[event.pointerId];
      if (!before) return;
      held[event.pointerId] = event;
      var other = Object.values(held).find(function (one) { return one !== event; });
      if (other) {
        var far = function (one) {
          return Math.hypot(one.clientX - other.clientX,
                            one.clientY - other.clientY);
        };
        var at = middle({target: event.target,
                         clientX: (event.clientX + other.clientX) / 2,
                         clientY: (event.clientY + other.clientY) / 2});
        if (at) zoom(far(event) / Math.max(far(before), 1), at.x, at.y);
      } else {
        move(event.clientX - before.clientX, event.clientY - before.clientY);
      }
    });
    ["pointerup", "pointercancel"].forEach(function (name) {
      window.addEventListener(name, function (event) {
        delete held[event.pointerId];
      });
    });
  }

  // The letter or digit of a key; for keys without one (Cyrillic, Greek, digits
  // that need Shift) that at the same position.
  function letter(event) {
    var key = (event.key || "").toLowerCase();
    if (key === "?") return "u";
    if (/^[a-z0-9]$/.test(key)) return key;
    return (event.code || "").replace(/^(Key|Digit|Numpad)/, "").toLowerCase();
  }

  // What the person should know comes first: once for each text and link.
  function guide() { return document.querySelector("#guidelines:has(> div > *)"); }

  function showGuide() {
    var place = "linkrank " + location.search, text = guide().textContent;
    guide().addEventListener("close", function () { keep(place, text); });
    if (keep(place) !== text) guide().showModal();
  }

  // Where keys lead that answer nothing.
  var places = {q: "#done", r: "#remark", j: ".join select", l: "#list .look"};

  function go(key, event) {
    if (key === "h" && guide()) guide().showModal();
    if (key === "l") document.getElementById("list").open = true;
    var place = key in places && document.querySelector(places[key]);
    if (!place) return;
    event.preventDefault();
    place.focus();
  }

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    // out of a field, so that keys answer again
    if ((event.target === remark() || event.target.id === "find") &&
        /^(Enter|Escape)$/.test(event.key)) {
      event.preventDefault();
      return event.target.blur();
    }
    if (closest(event, "input:not([type=checkbox]), textarea, select")) return;
    if (guide() && guide().open) return;
    if (viewer().open && (event.key === "Escape" || viewKey(event.key))) return;
    if (event.key === "Escape") {
      return send(document.querySelector("#question .back") ||
                  document.querySelector(".conflict > [data-act]"));
    }
    if (!document.getElementById("letters").checked) return;
    var key = letter(event);
    if (!viewer().open) go(key, event);
    // beside a contradiction, only keys for an answer that is shown again
    if (document.querySelector(".conflict") &&
        !document.querySelector(".given-before")) return;
    var button = /^[a-z0-9]$/.test(key) &&
      document.querySelector("[data-key~='" + key + "']");
    if (button && button.id !== "undo" && isBusy()) {
      if (own !== words.no_reply) note(words.computing);
    } else press(button);
  });

  // folded elements are drawn when they are unfolded; toggle does not bubble
  document.addEventListener("toggle", function (event) {
    if (event.target.classList.contains("folded") && event.target.open) {
      Shiny.setInputValue("unfolded", true);
      var page = event.target.closest("[data-pair]");
      unfolded.add(page ? page.dataset.pair : "result");
    }
  }, true);

  // The focus stays where it was though that is drawn again, or goes to what is
  // drawn in its place. What an element is, in words:
  function nameOf(element) {
    var holder = element.closest("[data-act]");
    var action = holder ? JSON.parse(holder.dataset.act) : {};
    return [element.tagName, element.dataset.key ||
      element.classList[0] + (action.shown || action.group)].join(" ");
  }

  // what was unfolded stays so; shiny signals its events by jQuery
  $(document).on("shiny:value", function (event) {
    var place = document.getElementById(event.name);
    var focus = document.activeElement;
    var name = place && focus !== place && place.contains(focus) && nameOf(focus);
    var unfolded = event.name === "question" && place.querySelector(".folded[open]");
    setTimeout(function () {
      var folded = unfolded && place.querySelector(".folded");
      if (folded) folded.open = true;
      // something new may have got it
      if (!name || document.activeElement !== document.body) return;
      var again = [].find.call(place.querySelectorAll("button, select, input"),
        function (one) { return nameOf(one) === name; });
      (again || place).focus({preventScroll: true});
    });
  });

  // R keeps the state, so the page is loaded again as soon as R answers, with the
  // key, which has left the address.
  var home = window.location.href;

  function retry() {
    fetch(home, {cache: "no-store"}).then(function (answer) {
      if (answer.ok) window.location.replace(home);
      else setTimeout(retry, 2000);
    }, function () { setTimeout(retry, 2000); });
  }

  // pictures of questions that may follow, held so that the browser keeps them
  var ahead = [];

  function sayGone(text) {
    document.getElementById("gone").hidden = !text;
    document.getElementById("gone").textContent = text;
  }

  $(document).on("shiny:disconnected", function () {
    var status = document.querySelector("[data-lost]");
    sayGone(ended || (status ? status.dataset.lost : words.no_reply));
    if (!ended) setTimeout(retry, 1000);
  });

  // nothing else tells of web sockets that do not come through
  var silent = setTimeout(function () { sayGone(words.no_socket); }, 6000);
  $(document).one("shiny:connected", function () {
    clearTimeout(silent);
    sayGone("");
  });

  // a new panel gets the focus, so that it is read aloud (this file is
  // read in the head, before there is a body)
  document.addEventListener("DOMContentLoaded", function () {
    Shiny.addCustomMessageHandler("ahead", function (addresses) {
      addresses.forEach(function (address) {
        var image = new Image();
        image.src = address;
        ahead.push(image);
      });
      ahead = ahead.slice(-60);
    });
    // what an action has changed is on the page
    Shiny.addCustomMessageHandler("taken", function (number) {
      if (!(number > taken)) return;
      taken = number;
      if (document.getElementById("notice").textContent === own) note("");
      own = "";
      document.body.classList.toggle("busy", taken < sent);
      undo();
    });
    Shiny.addCustomMessageHandler("ended", function (text) { ended = text; });
    followPointers(viewer());
    // the button that opened it may have been drawn again
    viewer().addEventListener("close", function () {
      if (document.activeElement === document.body) {
        (document.querySelector("#question .picture") ||
          document.getElementById("question")).focus({preventScroll: true});
      }
    });
    new MutationObserver(function () {
      document.title = document.getElementById("heading").textContent;
      turnRemark();
      if (viewer().open) fill();
    }).observe(document.getElementById("question"),
               {childList: true, subtree: true});
    var letters = document.getElementById("letters");
    letters.checked = keep("linkrank-letters") !== "off";
    letters.addEventListener("change", function () {
      keep("linkrank-letters", letters.checked ? "on" : "off");
    });
    if (guide()) showGuide();
    words = JSON.parse(document.getElementById("words").content);
    new MutationObserver(function () {
      var panel = document.querySelector(".conflict");
      if (!panel || panel.contains(document.activeElement)) return;
      panel.focus();
      panel.scrollIntoView({block: "nearest"});
    }).observe(document.getElementById("conflict"), {childList: true});
  });
})();
