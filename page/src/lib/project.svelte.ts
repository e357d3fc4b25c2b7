// The project that the server has open, kept up to date with the files on disk.

import { api, message, type Project } from "./api";

export const store = $state<{
  /** `null` before the first answer and in a playground. */
  project: Project | null;
  playground: boolean;
  error: string | null;
  /** Counts the changes on disk. */
  changes: number;
}>({ project: null, playground: false, error: null, changes: 0 });

export async function reload(): Promise<void> {
  try {
    const answer = await api.project({});
    store.playground = answer.playground === true;
    store.project = answer.playground ? null : answer;
    store.error = null;
  } catch (error) {
    store.error = message(error);
  }
}

/** Loads the project, and loads it again whenever its files change. */
export function follow(): void {
  void reload();
  const events = new EventSource("api/events");
  events.addEventListener("changed", () => {
    store.changes += 1;
    void reload();
  });
  events.addEventListener("open", () => {
    if (store.error) void reload();
  });
}
