import type { AuditRecord } from '../../../shared/contract/audit.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import type { HasJobs } from '../../../shared/jobs/jobs.js';
import type { HasLog } from '../../../shared/monitoring/log.js';
import type { HasMail } from '../../../shared/outbound/mail.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import type { HasStore, Write } from '../../../shared/store/port.js';
import type { signInOperations } from '../contract/sign-in.js';
import { requestLink, signIn } from './links.js';

export const signInHandlers = (
  deps: HasLog &
    HasStore &
    HasSecrets &
    HasJobs &
    HasMail & { baseUrl: string; auditWrite: (record: AuditRecord) => Write; callersChanged: () => Write },
): HandlersOf<typeof signInOperations> => ({
  requestSignIn: ({ body: { email } }, { network }) => requestLink(deps, { email, network }),
  signIn: ({ path: { code }, body: { label } }, { requestId, network }) =>
    signIn(deps, { code, label, requestId, network }),
});
