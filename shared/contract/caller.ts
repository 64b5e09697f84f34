/** Who calls: a closed union, filled by identity from the token and carried in `meta.caller`. */
export type Caller =
  | { kind: 'anonymous' }
  | { kind: 'system' }
  | {
      kind: 'user';
      user: string;
      token: string;
      memberships: Record<string, Membership>;
      /** The one organization that the token reaches: its single sign-on issued it. */
      scope?: string;
    }
  | { kind: 'integration'; integration: string }
  | { kind: 'installation'; installation: string; organization: string; scopes: string[] }
  | ContentCaller;

/** A visitor of a published site: what its content token says. */
export interface ContentCaller {
  kind: 'content';
  organization: string;
  site: string;
  siteSpace: string;
  siteSection?: string;
  /** The space that it came for; one of `spaces`. */
  space: string;
  /** All that it may read. */
  spaces: string[];
  /** What is known of the visitor: conditions read it. */
  claims: Record<string, unknown>;
  /** The share link that it came by. */
  shareKey?: string;
  /** Marks the private key of the site that signed its JWT; absent for a visitor without one. */
  signedBy?: string;
  /** Epoch seconds at which its access ends: that of its JWT or of its preview URL. */
  until?: number;
  /** It previews the site, published or not: by an API token with this id, else by a preview URL. */
  preview?: { apiToken?: string };
}

export type CallerKind = Caller['kind'];

/** An active membership of one organization; a disabled one is not listed. */
export interface Membership {
  /** `null` is a guest. */
  role: string | null;
  teams: string[];
  /** Those of `teams` whose members it manages. */
  owned: string[];
  /** Why the token does not count here, for a person. */
  refused?: string;
}

/** The membership that counts; a refused one does not. */
export function membershipOf(caller: Caller, organization: string): Membership | undefined {
  if (caller.kind !== 'user' || !Object.hasOwn(caller.memberships, organization)) return undefined;
  const membership = caller.memberships[organization];
  return membership?.refused === undefined ? membership : undefined;
}

/** Why a caller, though a member, is kept out; undefined for everybody else. */
export const refusalOf = (caller: Caller, organization: string): string | undefined =>
  caller.kind === 'user' && Object.hasOwn(caller.memberships, organization)
    ? caller.memberships[organization]?.refused
    : undefined;

export const anonymous: Caller = { kind: 'anonymous' };
export const system: Caller = { kind: 'system' };
