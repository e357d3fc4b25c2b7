// The project that the server has open, kept up to date with the files on disk.

import { api, message, type Project } from "./api";

class Store {
  /** `null` before the first answer and in a playground. It is replaced as a whole: ten thousand requirements are not watched one by one. */
  project = $state.raw<Project | null>(null);
  playground = $state(false);
  /** In a playground, the folder in which a project can be made. */
  folder = $state("");
  readOnly = $state(false);
  error = $state<string | null>(null);
  /** Counts the changes on disk. */
  changes = $state(0);
}

export const store = new Store();

export async function reload(): Promise<void> {
  try {
    const answer = await api.project({});
    store.playground = answer.playground === true;
    store.folder = answer.playground ? answer.folder : answer.root;
    store.readOnly = answer.read_only;
    store.project = answer.playground ? null : answer;
    store.error = null;
  } catch (error) {
    store.error = message(error);
  }
}

const AGAIN_MILLISECONDS = 1000;

/** Loads the project, and loads it again whenever its files change. */
export function follow(): void {
  void reload();
  watch();
}

/** Listens for changes. A server that comes back is listened to again, and what was missed meanwhile is loaded. */
function watch(again = false): void {
  const events = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/events`);
  const changed = () => {
    store.changes += 1;
    void reload();
  };
  events.onopen = () => again && changed();
  events.onmessage = changed;
  events.onclose = () => setTimeout(() => watch(true), AGAIN_MILLISECONDS);
}
