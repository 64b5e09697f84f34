const { TURN } = process.env;

/** What the landing with number `TURN` runs of a list: one, or of a longer list every `step`-th. Without a turn: all. */
export function inTurn<T>(items: readonly T[], step = items.length): T[] {
  return TURN ? items.filter((_, at) => at % step === Number(TURN) % step) : [...items];
}
