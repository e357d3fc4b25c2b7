// The editor of a document: its findings, hovers, completions and fixes come from the language server.

import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSetBuilder, type Extension, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { changesByAddress, same, type Position, type Action, type Finding, type Language, type TextEdit } from "../lib/language";
import { theme } from "./sentence";


const offset = (text: Text, { line, character }: Position) => {
  const at = text.line(Math.min(line + 1, text.lines));
  return Math.min(at.from + character, at.to);
};
const position = (text: Text, at: number): Position => {
  const line = text.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
};

const HEADING = Decoration.line({ class: "line-heading" });
const SENTENCE = Decoration.line({ class: "line-sentence" });
const FENCE = Decoration.line({ class: "line-fence" });

/** Headings, sentences and the fences around them, to be told apart at a glance. */
const lines = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorate(view.state.doc);
    }
    update(update: ViewUpdate) {
      if (update.docChanged) this.decorations = decorate(update.state.doc);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function decorate(text: Text): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let inside = false;
  let at = 0;
  for (const line of text.iterLines()) {
    const fence = line.startsWith("```");
    if (fence) builder.add(at, at, FENCE);
    else if (inside) builder.add(at, at, SENTENCE);
    else if (line.startsWith("#")) builder.add(at, at, HEADING);
    if (fence) inside = !inside && /^```fretish\b/.test(line);
    at += line.length + 1;
  }
  return builder.finish();
}

/** How a text breaks its lines, for an editor that gives back every byte as it was. */
export function lineBreaks(text: string): Extension {
  const windows = text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
  return EditorState.lineSeparator.of(windows ? "\r\n" : "\n");
}

/** What every editor of documents has, in or out of a comparison. */
export function basics(readOnly: boolean, changed: (text: string) => void, save: () => void): Extension {
  return [
    lineNumbers(),
    lines,
    history(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    EditorState.readOnly.of(readOnly),
    keymap.of([{ key: "Mod-s", run: () => (save(), true) }, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap, indentWithTab]),
    EditorView.lineWrapping,
    theme,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.sliceDoc());
    }),
  ];
}

/** What a key asks about the name at the cursor. */
export type Asked = "definition" | "references" | "rename";
const ASKED: [key: string, asked: Asked][] = [["F12", "definition"], ["Shift-F12", "references"], ["F2", "rename"]];

/** What the language server adds. */
export function assisted(language: () => Language | null, ask: (asked: Asked, at: Position) => void): Extension {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\w-]+/);
    if (!word && !context.explicit) return null;
    const items = await (language()?.complete(position(context.state.doc, context.pos)) ?? []);
    if (!items.length) return null;
    const range = items[0].textEdit?.range ?? items[0].textEdit?.insert;
    return {
      from: range ? offset(context.state.doc, range.start) : (word?.from ?? context.pos),
      options: items.map(({ label, detail, insertText, textEdit }) => ({ label, detail, apply: (textEdit?.newText ?? insertText ?? label).replace(/\$\{\d+:?([^}]*)\}|\$\d+/g, "$1") })),
    };
  };
  return [
    keymap.of(ASKED.map(([key, asked]) => ({ key, run: (view) => (ask(asked, position(view.state.doc, view.state.selection.main.head)), true) }))),
    lintGutter(),
    autocompletion({ override: [complete], icons: false }),
    hoverTooltip(async (view, at) => {
      const text = await (language()?.hover(position(view.state.doc, at)).catch(() => null) ?? null);
      if (!text) return null;
      return {
        pos: at,
        create: () => {
          const dom = document.createElement("div");
          dom.className = "hover";
          dom.textContent = text.replace(/```\w*\n?/g, "");
          return { dom };
        },
      };
    }),
  ];
}

/** Underlines findings, each with its fixes. */
export async function showFindings(view: EditorView, language: Language, findings: Finding[]): Promise<void> {
  const text = view.state.doc;
  const fixes = await Promise.all(findings.map((each) => language.actions(each).catch(() => [])));
  if (view.state.doc !== text) return;
  const shown = findings.map((finding, index): Diagnostic => {
    const from = offset(text, finding.range.start);
    return {
      from,
      to: Math.max(from, offset(text, finding.range.end)),
      severity: finding.severity === 1 ? "error" : finding.severity === 2 ? "warning" : "info",
      source: String(finding.code ?? ""),
      message: finding.message,
      actions: fixes[index].flatMap((action) => {
        const edits = editsOf(action, language.uri);
        return edits.length ? [{ name: action.title, apply: (view: EditorView) => apply(view, edits) }] : [];
      }),
    };
  });
  view.dispatch(setDiagnostics(view.state, shown));
}

/** The edits of an action, if they concern this document alone. */
function editsOf({ edit }: Action, uri: string): TextEdit[] {
  const changes = changesByAddress(edit);
  return changes.length === 1 && same(changes[0][0], uri) ? changes[0][1] : [];
}

const changesOf = (text: Text, edits: TextEdit[]) => edits.map(({ range, newText }) => ({ from: offset(text, range.start), to: offset(text, range.end), insert: newText }));

export function apply(view: EditorView, edits: TextEdit[]): void {
  view.dispatch({ changes: changesOf(view.state.doc, edits) });
}

/** A text with edits, outside an editor. */
export function edited(text: string, edits: TextEdit[]): string {
  const state = EditorState.create({ doc: text, extensions: lineBreaks(text) });
  return state.update({ changes: changesOf(state.doc, edits) }).state.sliceDoc();
}
