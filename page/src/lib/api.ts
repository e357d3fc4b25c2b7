// Requests to the server: one function for each name of the API, typed by what it answers.

import type {
  Column, CompareDocument, Files, Overview, ServeBenchDocument, ServeDocumentDocument, ServeExtentsDocument, ServeFilesDocument, ServeProjectRequirement,
  ServeSentenceDocument, ServeTimelineDocument, ServeWaveformDocument, Steps, Trigger,
} from "../types";

export type { Column, Steps, Trigger };
export type Sentence = ServeSentenceDocument;
export type Bench = ServeBenchDocument;
export type Timelines = ServeTimelineDocument;
export type ProjectRequirement = ServeProjectRequirement;
export type Project = Overview & { playground?: false };
/** No project is open; one can be made in the folder. */
export type Playground = { playground: true; folder: string; read_only: boolean };
export type Document = ServeDocumentDocument;
export type ProjectFile = Files["files"][number];
export type WaveformInfo = ServeWaveformDocument;
export type Extents = ServeExtentsDocument;

export type Job = {
  id: string;
  name?: string;
  state: "running" | "done" | "failed" | "cancelled";
  seconds: number;
  progress: string | null;
  code: number | null;
  result: unknown;
  error: string | null;
  /** Whether files that it is about have changed since it was started. */
  changed: boolean;
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
      headers: body === undefined || body instanceof Blob ? {} : { "Content-Type": "application/json" },
      body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
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
  project: post<Project | Playground>("project"),
  document: post<Document>("document"),
  save: post<{ version: string }>("save"),
  files: post<ServeFilesDocument>("files"),
  waveform: post<WaveformInfo>("waveform"),
  extents: post<Extents>("extents"),
  /** Puts a file into the folder of the project. */
  upload: (file: File) => request<{ name: string }>("PUT", `files/${encodeURIComponent(file.name)}`, file),
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
