/** An internal action: called over the bus by other services, never over HTTP. */
export interface Verb<P, R> {
  action: string;
  /** It changes nothing, so a call without an answer is sent again. */
  safe: boolean;
  readonly types?: [P, R];
}

/** Declares `<service>.<name>` with its parameters `P` and result `R`. */
export const verb = <P, R>(service: string, name: string): Verb<P, R> => ({
  action: `${service}.${name}`,
  safe: false,
});

/** Declares a verb that only reads. */
export const question = <P, R>(service: string, name: string): Verb<P, R> => ({
  ...verb<P, R>(service, name),
  safe: true,
});

/** Checks that a service reaches its stores; throws when it does not. */
export const readiness = (service: string) => verb<Record<never, never>, void>(service, 'ready');
