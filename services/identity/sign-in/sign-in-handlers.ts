import type { HandlersOf } from '../../../shared/contract/service.js';
import type { signInOperations } from '../contract/sign-in.js';
import type { IdentityDependencies } from '../dependencies.js';
import { requestLink, signIn } from './links.js';

export const signInHandlers = (deps: IdentityDependencies): HandlersOf<typeof signInOperations> => ({
  requestSignIn: ({ body: { email } }, { network }) => requestLink(deps, { email, network }),
  async signIn({ path: { code }, body: { label } }, { requestId, network }) {
    const token = await signIn(deps, { code, label, requestId, network });
    deps.outbox.wake();
    return token;
  },
});
