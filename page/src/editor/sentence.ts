// The editor of one sentence: its fields in colours, its diagnostics underlined.

import { autocompletion, completionKeymap, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { setDiagnostics, type Diagnostic as Underline } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap, placeholder } from "@codemirror/view";
import { unitsOf } from "../lib/offsets";
import type { Diagnostic, Explained, Fields } from "../types";

export const PARTS = ["scope", "condition", "component", "timing", "response"] as const;
export type Part = (typeof PARTS)[number];

const WORDS = [
  "shall", "satisfy", "in", "mode", "when", "whenever", "unless", "only", "except", "before", "after", "while", "until",
  "immediately", "always", "never", "eventually", "finally", "within", "for", "at the next timepoint", "ticks", "seconds", "the",
];

export type Range = { from: number; to: number };

/** Where each part is in the text, in code units. */
export function rangesOf(text: string, fields: Fields): Partial<Record<Part, Range>> {
  const units = unitsOf(text);
  const ranges: Partial<Record<Part, Range>> = {};
  for (const part of PARTS) {
    const span = fields[part]?.span;
    if (span) ranges[part] = { from: units(span.start), to: units(span.end) };
  }
  return ranges;
}

const setFields = StateEffect.define<DecorationSet>();
const fieldMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(setFields)) next = effect.value;
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const theme = EditorView.theme({
  "&": { backgroundColor: "var(--paper)", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--must)", outlineOffset: "-1px" },
  ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--must) 25%, transparent)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--band) 55%, transparent)" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--edge)", borderRadius: "6px", maxWidth: "60ch" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--must)", color: "var(--on-must)" },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-diagnostic": { padding: "4px 10px", whiteSpace: "pre-wrap" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)" },
});

export function sentenceEditor(parent: HTMLElement, text: string, label: string, names: () => string[], changed: (text: string) => void): EditorView {
  const complete = (context: CompletionContext) => {
    const word = context.matchBefore(/\w+/);
    if (!word && !context.explicit) return null;
    const options = [
      ...names().map((name) => ({ label: name, type: "variable" })),
      ...WORDS.map((each) => ({ label: each, type: "keyword" })),
    ];
    return { from: word?.from ?? context.pos, options };
  };
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        autocompletion({ override: [complete], activateOnTypingDelay: 250, icons: false }),
        fieldMarks,
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        placeholder("the pump shall always satisfy pressure < 3"),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
}

/** Shows the fields and the diagnostics of an answer, unless the text has changed since. */
export function showMeaning(view: EditorView, explained: Explained): void {
  const text = view.state.doc.toString();
  if (text !== explained.sentence) return;
  const marks = Object.entries(rangesOf(text, explained.fields))
    .filter(([, range]) => range.from < range.to)
    .map(([part, range]) => Decoration.mark({ class: `f-${part}` }).range(range.from, range.to));
  view.dispatch({ effects: setFields.of(Decoration.set(marks, true)) });
  view.dispatch(setDiagnostics(view.state, underlines(text, explained.diagnostics)));
}

export function underlines(text: string, diagnostics: Diagnostic[]): Underline[] {
  const units = unitsOf(text);
  return diagnostics.map(({ code, severity, message, hint, span }) => ({
    from: units(span.start),
    to: units(span.end),
    severity: severity === "error" ? "error" : "warning",
    source: code,
    message: hint ? `${message}\n${hint}` : message,
  }));
}

