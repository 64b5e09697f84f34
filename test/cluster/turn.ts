const { TURN = 'all' } = process.env;

/** What the landing with number `TURN` runs of a list: one, or of a longer list every `step`-th. `all`, which is also without a turn: the whole list. */
export function inTurn<T>(items: readonly T[], step = items.length): T[] {
  return TURN !== 'all' ? items.filter((_, at) => at % step === Number(TURN) % step) : [...items];
}
