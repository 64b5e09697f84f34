/** Runs tasks with the same key one after the other, in order of arrival; tasks with different keys run at the same time. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, act: () => Promise<T>): Promise<T> {
    const turn = (this.last.get(key) ?? Promise.resolve()).then(act, act);
    this.last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(key) === turn) this.last.delete(key);
    }
  }
}

export type HasTurns = { turns: Turns };
