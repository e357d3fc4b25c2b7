// Requests to the server: one function for each name of the API, typed by what it answers.

import type { CheckDocument, CompareDocument, Drawn, Explained, Formalized, Value } from "../types";

export type Sentence = { explained: Explained; formalized: Formalized; svg: string | null };

export type Column = { name: string; values: Value[] };
export type Sort = "bool" | "int" | "real" | "enum" | "any";
export type Steps = { from: number; to: number | null };
export type Trigger = { step: number; interval: Steps; decided: number | null; met: boolean; cut: boolean };
export type Bench = {
  signals: { name: string; sort: Sort }[];
  columns: Column[];
  verdict: "holds" | "vacuous" | "violated" | null;
  reason: string | null;
  error: string | null;
  intervals: Steps[];
  triggers: Trigger[];
};

export type Timelines = { timelines: Drawn[]; svgs: (string | null)[] };

export type ProjectRequirement = {
  id: string;
  title: string | null;
  document: string;
  line: number;
  sentence: string | null;
  formal: boolean;
  component: string | null;
  status: string | null;
  parents: string[];
};
export type Variable = {
  name: string;
  kind: string | null;
  type: string | null;
  definition: string | null;
  phrase: string | null;
  declared: boolean;
};
export type Project = {
  playground?: false;
  name: string;
  root: string;
  read_only: boolean;
  documents: { name: string }[];
  requirements: ProjectRequirement[];
  components: { name: string; variables: Variable[] }[];
  check: CheckDocument;
};
export type Document = { name: string; text: string; version: string };
export type ProjectFile = { name: string; kind: "document" | "lustre" | "simulink" | "english" | "log" };

export type Job = {
  id: string;
  name?: string;
  state: "running" | "done" | "failed" | "cancelled";
  seconds: number;
  progress: string | null;
  code: number | null;
  result: unknown;
  error: string | null;
};

/** What the server refuses, with the fields of its answer. */
export class Refusal extends Error {
  constructor(readonly status: number, message: string, readonly body: Record<string, unknown>) {
    super(message);
  }
}

async function request<T>(method: string, name: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`api/${name}`, {
      method,
      signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal(0, "The server does not answer. Is `shall serve` still running?", {});
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    const unauthorized = "This page has no valid token. Open the address that `shall serve` printed.";
    const message = response.status === 401 ? unauthorized : (answer.error ?? `The server answered ${response.status}.`);
    throw new Refusal(response.status, message, answer);
  }
  return answer as T;
}

const post = <T>(name: string) => (body: object, signal?: AbortSignal) => request<T>("POST", name, body, signal);

export const api = {
  sentence: post<Sentence>("sentence"),
  bench: post<Bench>("bench"),
  compare: post<CompareDocument>("compare"),
  timeline: post<Timelines>("timeline"),
  project: post<Project | { playground: true }>("project"),
  document: post<Document>("document"),
  save: post<{ version: string }>("save"),
  files: post<{ files: ProjectFile[] }>("files"),
  start: post<{ id: string }>("jobs"),
  job: (id: string) => request<Job>("GET", `jobs/${id}`),
  cancel: (id: string) => request<unknown>("DELETE", `jobs/${id}`),
};

/** The message of an error for the user; nothing for a request that a later one replaced. */
export function message(error: unknown): string | null {
  if (error instanceof DOMException && error.name === "AbortError") return null;
  return error instanceof Error ? error.message : String(error);
}

/** Runs one request at a time: a new one aborts the one before, whose answer is then dropped. */
export function latest() {
  let controller: AbortController | null = null;
  return async <T>(run: (signal: AbortSignal) => Promise<T>): Promise<T | null> => {
    controller?.abort();
    const mine = (controller = new AbortController());
    try {
      const answer = await run(mine.signal);
      return mine.signal.aborted ? null : answer;
    } catch (error) {
      if (mine.signal.aborted) return null;
      throw error;
    }
  };
}
