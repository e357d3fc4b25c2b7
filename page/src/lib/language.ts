// A client of the language server, one message per WebSocket frame: findings, hovers, completions and fixes for an editor.

export type Position = { line: number; character: number };
type Range = { start: Position; end: Position };
export type TextEdit = { range: Range; newText: string };
export type Finding = { range: Range; severity?: number; code?: string | number; message: string };
export type WorkspaceEdit = { changes?: Record<string, TextEdit[]>; documentChanges?: { textDocument: { uri: string }; edits: TextEdit[] }[] };
export type Action = { title: string; diagnostics?: Finding[]; edit?: WorkspaceEdit };
export type Location = { uri: string; range: Range };
export type Completion = { label: string; detail?: string; insertText?: string; textEdit?: { range?: Range; insert?: Range; newText: string }; kind?: number };

type Answer = { id?: number; method?: string; params?: { uri: string; diagnostics: Finding[] }; result?: unknown; error?: { message: string } };

export class Language {
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, { done: (result: unknown) => void; failed: (error: Error) => void }>();
  private next = 1;
  private version = 0;
  private readonly ready: Promise<void>;

  constructor(root: string, name: string, private readonly findings: (findings: Finding[]) => void) {
    const folder = (this.folder = uriOf(root).replace(/\/$/, ""));
    this.uri = `${folder}/${name.split("/").map(encodeURIComponent).join("/")}`;
    this.socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/language`);
    const opened = new Promise<void>((done, failed) => {
      this.socket.onopen = () => done();
      this.socket.onerror = () => failed(new Error("the language server does not answer"));
    });
    this.socket.onclose = () => {
      for (const { failed } of this.waiting.values()) failed(new Error("the language server has gone"));
      this.waiting.clear();
    };
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data as string) as Answer);
    this.ready = opened.then(async () => {
      await this.request("initialize", {
        processId: null,
        rootUri: folder,
        workspaceFolders: [{ uri: folder, name: "project" }],
        capabilities: { general: { positionEncodings: ["utf-16"] }, textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } } },
      });
      this.notify("initialized", {});
    });
    this.ready.catch(() => {});
  }

  readonly uri: string;
  private readonly folder: string;

  async open(text: string): Promise<void> {
    await this.ready;
    this.notify("textDocument/didOpen", { textDocument: { uri: this.uri, languageId: "markdown", version: ++this.version, text } });
  }

  change(text: string): void {
    if (this.version === 0) return;
    this.notify("textDocument/didChange", { textDocument: { uri: this.uri, version: ++this.version }, contentChanges: [{ text }] });
  }

  async hover(position: Position): Promise<string | null> {
    const answer = (await this.about("hover", { position })) as { contents: string | { value: string } } | null;
    return answer ? (typeof answer.contents === "string" ? answer.contents : answer.contents.value) : null;
  }

  async complete(position: Position): Promise<Completion[]> {
    const answer = (await this.about("completion", { position })) as Completion[] | { items: Completion[] } | null;
    return Array.isArray(answer) ? answer : (answer?.items ?? []);
  }

  async actions(finding: Finding): Promise<Action[]> {
    return ((await this.about("codeAction", { range: finding.range, context: { diagnostics: [finding] } })) as Action[] | null) ?? [];
  }

  async definition(position: Position): Promise<Location[]> {
    const answer = (await this.about("definition", { position })) as Location | Location[] | null;
    return Array.isArray(answer) ? answer : answer ? [answer] : [];
  }

  async references(position: Position): Promise<Location[]> {
    return ((await this.about("references", { position, context: { includeDeclaration: true } })) as Location[] | null) ?? [];
  }

  async rename(position: Position, newName: string): Promise<[uri: string, edits: TextEdit[]][]> {
    return changesByAddress(((await this.about("rename", { position, newName })) as WorkspaceEdit | null) ?? undefined);
  }

  /** The document that an address of this project belongs to. */
  nameOf(uri: string): string | null {
    const folder = `${decodeURIComponent(this.folder)}/`;
    const path = decodeURIComponent(uri);
    return path.startsWith(folder) ? path.slice(folder.length) : null;
  }

  close(): void {
    this.socket.close();
  }

  private about(what: string, parameters: object): Promise<unknown> {
    return this.ready.then(() => this.request(`textDocument/${what}`, { textDocument: { uri: this.uri }, ...parameters }));
  }

  private request(method: string, params: unknown): Promise<unknown> {
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.send({ id, method, params });
    });
  }

  private notify(method: string, params: unknown): void {
    this.send({ method, params });
  }

  private send(content: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...content }));
  }

  private receive(answer: Answer): void {
    if (answer.method === "textDocument/publishDiagnostics" && answer.params && same(answer.params.uri, this.uri)) this.findings(answer.params.diagnostics);
    // What the server asks of an editor (registrations, progress) needs no more than an answer.
    if (answer.method && answer.id !== undefined) return this.send({ id: answer.id, result: null });
    const waiting = answer.id === undefined ? undefined : this.waiting.get(answer.id);
    if (!waiting) return;
    this.waiting.delete(answer.id!);
    if (answer.error) waiting.failed(new Error(answer.error.message));
    else waiting.done(answer.result);
  }
}

/** The edits of each document. */
export function changesByAddress(edit: WorkspaceEdit | undefined): [uri: string, edits: TextEdit[]][] {
  return [...Object.entries(edit?.changes ?? {}), ...(edit?.documentChanges ?? []).map((each): [string, TextEdit[]] => [each.textDocument.uri, each.edits])];
}

export const same = (a: string, b: string) => decodeURIComponent(a) === decodeURIComponent(b);

/** The address of a path of this machine. */
function uriOf(path: string): string {
  if (path.startsWith("file:")) return path;
  const slashes = path.replace(/\\/g, "/");
  return `file://${slashes.startsWith("/") ? "" : "/"}${slashes.split("/").map((part) => encodeURIComponent(part).replace(/%3A/gi, ":")).join("/")}`;
}
