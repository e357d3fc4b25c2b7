// Unsaved text, kept in the browser until it is saved or discarded: a reload, a crash or a closed tab loses nothing.
// Each tab has its own draft of a document.

export type Draft = { tab: string; name: string; text: string; version: string; time: string };

const TAB = "shall.tab";
const tab = sessionStorage.getItem(TAB) ?? crypto.randomUUID();
sessionStorage.setItem(TAB, tab);

const prefix = (root: string, name: string) => `shall.draft:${JSON.stringify([root, name])}:`;

/** Keeps the text; `false` if the browser has no room for it. */
export function keep(root: string, name: string, text: string, version: string): boolean {
  try {
    localStorage.setItem(prefix(root, name) + tab, JSON.stringify({ tab, name, text, version, time: new Date().toISOString() }));
    return true;
  } catch {
    return false;
  }
}

export function discard(root: string, name: string, of = tab): void {
  localStorage.removeItem(prefix(root, name) + of);
}

/** The draft of this tab, and those of other tabs and earlier visits. */
export function drafts(root: string, name: string): { mine: Draft | null; others: Draft[] } {
  const start = prefix(root, name);
  const all = Object.keys(localStorage)
    .filter((key) => key.startsWith(start))
    .flatMap((key): Draft[] => {
      try {
        return [JSON.parse(localStorage.getItem(key)!)];
      } catch {
        return [];
      }
    });
  return { mine: all.find((each) => each.tab === tab) ?? null, others: all.filter((each) => each.tab !== tab) };
}
