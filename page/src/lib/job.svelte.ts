// Long work on the server: started, followed until it ends, cancelled. A job that was started for
// a view is found again after a reload of the page.

import { api, message, Refusal, type Job } from "./api";

/** How long a running job is left alone: short work is noticed at once. */
const FIRST_POLL_MILLISECONDS = 20;
const LAST_POLL_MILLISECONDS = 300;

export class Work<Result> {
  job = $state<Job | null>(null);
  error = $state<string | null>(null);
  private id = $state<string | null>(null);

  /** `key` names the work, so that a reload of the page finds it again. */
  constructor(private readonly key: string) {
    this.id = sessionStorage.getItem(this.storageKey);
    if (this.id) void this.follow(this.id, true);
  }

  private get storageKey() {
    return `shall.job.${this.key}`;
  }

  /** Whether it was never started, or the server no longer knows it. */
  get idle(): boolean {
    return this.id === null;
  }

  /** Whether its files have changed since, so that the result is that of other files. */
  get stale(): boolean {
    return this.job?.state === "done" && this.job.changed;
  }

  get running(): boolean {
    return this.job?.state === "running";
  }

  get result(): Result | null {
    return (this.job?.result as Result | undefined) ?? null;
  }

  async start(request: { name: string } & Record<string, unknown>): Promise<void> {
    if (this.running) await this.cancel();
    this.error = null;
    this.job = null;
    try {
      const { id } = await api.start(request);
      this.id = id;
      sessionStorage.setItem(this.storageKey, id);
      await this.follow(id, false);
    } catch (error) {
      this.error = message(error);
    }
  }

  /** Looks whether its files have changed. */
  async look(): Promise<void> {
    const id = this.id;
    if (!id || this.job?.state !== "done") return;
    const job = await api.job(id).catch(() => null);
    if (job && this.id === id && this.job?.state === "done") this.job = { ...job, id };
  }

  async cancel(): Promise<void> {
    if (this.job) await api.cancel(this.job.id).catch((error) => (this.error = message(error)));
  }

  clear(): void {
    sessionStorage.removeItem(this.storageKey);
    this.id = null;
    this.job = null;
    this.error = null;
  }

  private async follow(id: string, again: boolean): Promise<void> {
    let pause = FIRST_POLL_MILLISECONDS;
    try {
      for (;;) {
        const job = { ...(await api.job(id)), id };
        if (this.id !== id) return;
        this.job = job;
        if (job.state !== "running") return;
        await new Promise((done) => setTimeout(done, pause));
        pause = Math.min(LAST_POLL_MILLISECONDS, pause * 1.5);
      }
    } catch (error) {
      const forgotten = again && error instanceof Refusal && error.status === 404;
      if (forgotten) this.clear();
      else this.error = message(error);
    }
  }
}
