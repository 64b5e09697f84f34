import findMyWay from 'find-my-way';

export interface Match<R> {
  route: R;
  /** Decoded. */
  parameters: Record<string, string>;
}

/**
 * Finds what stands at an address, by paths as `/s/{space}/~/changes/{number}` and `/s/{space}/{page...}`. The last part of the second takes the
 * rest of an address, also none where no other route stands there.
 */
export class AppRouter<R extends { path: string }> {
  private readonly router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 4096 });

  constructor(routes: R[]) {
    const paths = new Set(routes.map(({ path }) => path));
    for (const route of routes) {
      const { pattern, rest } = patternOf(route.path);
      this.router.on('GET', pattern, () => {}, { route, rest });
      const above = route.path.replace(restPart, '');
      if (rest !== undefined && !paths.has(above))
        this.router.on('GET', patternOf(above).pattern, () => {}, { route, rest });
    }
  }

  find(path: string): Match<R> | undefined {
    const found = this.router.find('GET', path);
    if (!found) return undefined;
    const { route, rest } = found.store as { route: R; rest: string | undefined };
    const { '*': last, ...parameters } = found.params as Record<string, string>;
    return { route, parameters: rest === undefined ? parameters : { ...parameters, [rest]: last ?? '' } };
  }
}

const restPart = /\/\{\w+\.\.\.\}$/;

/** The pattern as the library writes it, and the name of the part that takes the rest of the address. */
function patternOf(path: string): { pattern: string; rest: string | undefined } {
  const [, rest] = /\{(\w+)\.\.\.\}$/.exec(path) ?? [];
  return { pattern: path.replace(/\{\w+\.\.\.\}$/, '*').replace(/\{(\w+)\}/g, ':$1'), rest };
}
