// Long work on the server: started, followed until it ends, cancelled. A job that was started for
// a view is found again after a reload of the page.

import { api, message, Refusal, type Job } from "./api";

const POLL_MILLISECONDS = 300;

export class Work<Result> {
  job = $state<Job | null>(null);
  error = $state<string | null>(null);

  /** `key` names the work, so that a reload of the page finds it again. */
  constructor(private readonly key: string) {
    const id = sessionStorage.getItem(this.storageKey);
    if (id) void this.follow(id, true);
  }

  private get storageKey() {
    return `shall.job.${this.key}`;
  }

  get running(): boolean {
    return this.job?.state === "running";
  }

  get result(): Result | null {
    return (this.job?.result as Result | undefined) ?? null;
  }

  async start(request: { name: string } & Record<string, unknown>): Promise<void> {
    this.error = null;
    this.job = null;
    try {
      const { id } = await api.start(request);
      sessionStorage.setItem(this.storageKey, id);
      await this.follow(id, false);
    } catch (error) {
      this.error = message(error);
    }
  }

  async cancel(): Promise<void> {
    if (this.job) await api.cancel(this.job.id).catch((error) => (this.error = message(error)));
  }

  clear(): void {
    sessionStorage.removeItem(this.storageKey);
    this.job = null;
    this.error = null;
  }

  private async follow(id: string, again: boolean): Promise<void> {
    try {
      for (;;) {
        const job = { ...(await api.job(id)), id };
        if (this.job && this.job.id !== id) return;
        this.job = job;
        if (job.state !== "running") return;
        await new Promise((done) => setTimeout(done, POLL_MILLISECONDS));
        if (sessionStorage.getItem(this.storageKey) !== id) return;
      }
    } catch (error) {
      const forgotten = again && error instanceof Refusal && error.status === 404;
      if (forgotten) this.clear();
      else this.error = message(error);
    }
  }
}
