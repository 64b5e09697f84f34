import type { JobKind } from '../../../shared/jobs/jobs.js';
import { type HasMail, unlessStopped } from '../../../shared/outbound/mail.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import type { HasStore } from '../../../shared/store/port.js';
import { sha256, timestamp } from '../../../shared/values/ids.js';
import { users } from '../users/model.js';
import { type Invitation, linkAddress, linkMail } from './link-mail.js';
import { signIns } from './model.js';

export const mailJobKind = 'sendMail';

export interface MailPayload {
  /** The id of the user. */
  user: string;
  /** The encrypted code of the link. */
  sealed: string;
  /** Absent for a link that its user requested. */
  invitation?: Invitation;
}

/** Sends sign-in links. A link that cannot be used any more is not sent. */
export const sendLinkMailJob = ({
  store,
  mail,
  secrets,
  baseUrl,
}: HasStore & HasSecrets & HasMail & { baseUrl: string }): JobKind<MailPayload> => ({
  kind: mailJobKind,
  attempts: 5,
  backoff: (attempts) => 5000 * 6 ** (attempts - 1),
  async run({ job, signal }) {
    const { user: id, sealed, invitation } = job.payload;
    const code = secrets.decrypt(sealed);
    const link = await store.findOne(signIns, { _id: sha256(code), expiresAt: { $gt: timestamp() } });
    const user = await store.get(users, id, { fields: ['email'] });
    if (!link || !user) return;
    const content = linkMail(linkAddress(baseUrl, code), link.expiresAt, invitation);
    await unlessStopped(signal, mail.send({ id: job._id, to: user.email, ...content }));
  },
});
