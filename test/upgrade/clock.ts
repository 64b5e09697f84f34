/** Node options for a process whose clock goes on from a time when it starts, in epoch milliseconds: what expires by then has not expired. */
export function clockFrom(at: number): Record<string, string> {
  const module = `
    const Real = Date, behind = Real.now() - ${at};
    globalThis.Date = class Date extends Real {
      constructor(...given) { given.length > 0 ? super(...given) : super(Real.now() - behind); }
      static now() { return Real.now() - behind; }
    };`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(module)}` };
}
