import type { Caller } from '../../shared/contract/caller.js';
import type { ContentTokens } from '../../shared/contract/content-token.js';
import type { Call } from '../../shared/contract/service.js';
import type { Secrets } from '../../shared/secrets/secrets.js';
import type { SignedTokens } from '../../shared/secrets/signed-tokens.js';
import type { SiteRules } from './rules.js';
import type { VisibleSites } from './visible.js';

/** What the rules of publishing work with. */
export interface PublishingRules extends SiteRules {
  secrets: Secrets;
  visible: VisibleSites;
  contents: ContentTokens;
  previews: SignedTokens;
  /** Calls other services as somebody else, once it is decided here what that one may see. */
  callAs: (caller: Caller) => Call;
}
