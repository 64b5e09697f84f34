import type { Store } from '../../store/port.js';

/** The store, and how often it was asked for pages: of jobs that are due, or events to deliver. */
export function countLooks(store: Store) {
  const counted = { looks: 0 };
  const observed = new Proxy(store, {
    get(target, name) {
      if (name === 'page') counted.looks += 1;
      const found = target[name as keyof Store] as unknown;
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
  return { counted, observed };
}
