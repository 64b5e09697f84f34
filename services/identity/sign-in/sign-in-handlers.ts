import type { HandlersOf } from '../../../shared/contract/service.js';
import type { signInOperations } from '../contract/sign-in.js';
import type { IdentityDependencies } from '../dependencies.js';
import { requestLink, signIn } from './links.js';

export const signInHandlers = (deps: IdentityDependencies): HandlersOf<typeof signInOperations> => ({
  requestSignIn: ({ body: { email } }, { network }) => requestLink(deps, { email, network }),
  signIn: ({ path: { code }, body: { label } }, { requestId, network }) =>
    signIn(deps, { code, label, requestId, network }),
});
