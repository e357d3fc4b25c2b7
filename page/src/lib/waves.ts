// What is drawn of a long log: the least and greatest values of its signals, in tiles that the server computes once for each zoom.

import { api } from "./api";

/** The columns of a tile. Each column has 2^level steps. */
export const COLUMNS = 512;
/** The most tiles that are kept. */
const MOST = 4000;

export type Tile = { least: (number | null)[]; greatest: (number | null)[] };
type Kept = { tile: Tile | null; loading: boolean; epoch: number };

export class Waves {
  private readonly tiles = new Map<string, Kept>();
  private epoch = 0;
  private steps = 0;
  error: string | null = null;

  /** `changed` is called when there is more to draw. */
  constructor(private readonly file: string, private readonly changed: () => void) {}

  /** The log has grown: what ends after its old end is asked for again. */
  grow(steps: number): void {
    if (steps === this.steps) return;
    this.steps = steps;
    this.epoch += 1;
    this.changed();
  }

  /** The level at which the whole log is one tile. */
  get top(): number {
    return Math.max(0, Math.ceil(Math.log2(Math.max(1, this.steps / COLUMNS))));
  }

  /** The finest tile that is there: at the level, or a coarser one around it. */
  find(signal: number, level: number, index: number): { tile: Tile; level: number; index: number } | null {
    for (let up = 0; level + up <= this.top; up += 1) {
      const at = Math.floor(index / 2 ** up);
      const tile = this.tiles.get(key(signal, level + up, at))?.tile;
      if (tile) return { tile, level: level + up, index: at };
    }
    return null;
  }

  /** Asks for the tiles of some signals that are not there. */
  want(signals: number[], level: number, index: number): void {
    const end = (index + 1) * COLUMNS * 2 ** level;
    const missing = signals.filter((signal) => {
      const kept = this.tiles.get(key(signal, level, index));
      return !kept || (!kept.loading && kept.epoch !== this.epoch && (kept.tile === null || end > this.steps));
    });
    if (!missing.length || index * COLUMNS * 2 ** level >= this.steps) return;
    for (const signal of missing) {
      const name = key(signal, level, index);
      const tile = this.tiles.get(name)?.tile ?? null;
      this.tiles.delete(name);
      this.tiles.set(name, { tile, loading: true, epoch: this.epoch });
    }
    void this.load(missing, level, index);
  }

  private async load(signals: number[], level: number, index: number): Promise<void> {
    const epoch = this.epoch;
    try {
      const per = 2 ** level;
      const { extents } = await api.extents({ file: this.file, signals, from: index * COLUMNS * per, per, count: COLUMNS });
      signals.forEach((signal, at) => this.tiles.set(key(signal, level, index), { tile: { least: extents[at][0], greatest: extents[at][1] }, loading: false, epoch }));
      this.error = null;
    } catch (error) {
      for (const signal of signals) this.tiles.set(key(signal, level, index), { tile: null, loading: false, epoch });
      this.error = error instanceof Error ? error.message : String(error);
    }
    for (const name of this.tiles.keys()) {
      if (this.tiles.size <= MOST) break;
      this.tiles.delete(name);
    }
    this.changed();
  }
}

const key = (signal: number, level: number, index: number) => `${signal}/${level}/${index}`;

/** The part of a log that is in sight: the first step, and the steps of a pixel. */
export type Sight = { start: number; scale: number };

/** The most pixels of a step, unless the log is shorter than that. */
const WIDEST = 200;

/** Zooms around a pixel; the whole log is never smaller than the width. */
export function zoomed({ start, scale }: Sight, by: number, pixel: number, width: number, steps: number): Sight {
  const next = Math.min(Math.max(steps, 1) / width, Math.max(1 / WIDEST, scale / by));
  return placed({ start: start + pixel * (scale - next), scale: next }, width, steps);
}

/** Moves what is in sight back into the log. */
export function placed({ start, scale }: Sight, width: number, steps: number): Sight {
  return { start: Math.max(0, Math.min(start, steps - width * scale)), scale };
}

/** Round distances for about so many marks of an axis. */
export function ticks(from: number, to: number, most: number): number[] {
  const rough = Math.max(1, (to - from) / most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const distance = Math.max(1, power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10));
  const found: number[] = [];
  for (let at = Math.ceil(from / distance) * distance; at <= to; at += distance) found.push(at);
  return found;
}
