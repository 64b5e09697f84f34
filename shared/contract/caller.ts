/** Who calls: a closed union, filled by identity from the token and carried in `meta.caller`. */
export type Caller =
  | { kind: 'anonymous' }
  | { kind: 'system' }
  | { kind: 'user'; user: string; token: string; memberships: Record<string, Membership> }
  | { kind: 'integration'; integration: string }
  | { kind: 'installation'; installation: string; organization: string; scopes: string[] }
  | { kind: 'content'; organization: string; spaces: string[]; claims: Record<string, unknown> };

export type CallerKind = Caller['kind'];

/** An active membership of one organization; a disabled one is not listed. */
export interface Membership {
  /** `null` is a guest. */
  role: string | null;
  teams: string[];
}

export const anonymous: Caller = { kind: 'anonymous' };
export const system: Caller = { kind: 'system' };
