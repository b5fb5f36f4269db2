/** The dialog in which a visitor chooses language, look and sounds; everything is kept in the browser. */

import { element } from "/picture/elements.js";
import { keepLanguage, language, t, TEXTS } from "/picture/strings.js";
import { choice } from "./choice.js";
import { choose, chosen, known } from "./look.js";
import { soundOn, switchSound } from "./sound.js";

/** Open the dialog. */
export function openSettings() {
  const dialog = document.body.appendChild(element("dialog", { id: "settings", ariaLabel: t("page.settings") }));
  const done = element("button", { className: "main", textContent: t("common.close") });
  dialog.append(
    element(
      "form",
      { method: "dialog" },
      element("h2", { textContent: t("page.settings") }),
      languages(),
      looks("theme"),
      sounds(),
      element("footer", {}, done),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.showModal();
  done.focus();
}

function languages() {
  const rows = Object.entries(TEXTS).map(([tag, texts]) => [tag, texts["language.name"], ""]);
  return choice(t("settings.language"), "language", rows, language, (tag) => {
    keepLanguage(tag);
    location.reload();
  });
}

function looks(kind) {
  const rows = known(kind).map((value) => [value, t(`settings.${kind}.${value}`), ""]);
  return choice(t(`settings.${kind}`), kind, rows, chosen(kind), (value) => choose(kind, value));
}

function sounds() {
  const input = element("input", { type: "checkbox", role: "switch", checked: soundOn(), onchange: () => switchSound() });
  return element("label", { className: "switch" }, input, t("settings.sound"));
}
