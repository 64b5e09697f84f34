import type { Message } from '../../../shared/mail.js';

/** An invitation as the mail words it: the title of the organization and the display name of the inviter. */
export interface Invitation {
  /** The id of the organization. Who signs in by the link accepts the invitation. */
  id: string;
  organization: string;
  inviter: string;
}

/** Puts text that people wrote on one line of bounded length: strangers receive it in our name. */
function line(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = [...plain];
  return characters.length <= 100 ? plain : `${characters.slice(0, 99).join('')}…`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const dayMs = 24 * 3_600_000;

function validityOf(expiresAt: string): string {
  const ms = Date.parse(expiresAt) - Date.now();
  if (ms > dayMs) return `until ${new Date(expiresAt).toUTCString()}`;
  return `for ${Math.max(1, Math.round(ms / 60_000))} minutes`;
}

/** Words the mail with a sign-in link; `invitation` is absent for a link that its user requested. */
export function linkMail(
  link: string,
  expiresAt: string,
  invitation: Invitation | undefined,
): Pick<Message, 'subject' | 'text' | 'html'> {
  const organization = invitation ? line(invitation.organization) : '';
  const subject = invitation ? `You are invited to ${organization}` : 'Sign in to Bindery';
  const why = invitation
    ? `${line(invitation.inviter)} invited you to ${organization} on Bindery. To join, sign in here:`
    : 'You, or somebody who knows your address, asked to sign in to Bindery. Sign in here:';
  const validity = `The link works once, ${validityOf(expiresAt)}.`;
  const otherwise = 'If you did not expect this mail, ignore it: nobody can sign in without the link.';
  return {
    subject,
    text: `${why}\n\n${link}\n\n${validity}\n${otherwise}\n`,
    html: page(subject, why, link, validity, otherwise),
  };
}

const page = (subject: string, why: string, link: string, ...notes: string[]) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
<p>${escaped(why)}</p>
<p><a href="${escaped(link)}">${escaped(link)}</a></p>
${notes.map((note) => `<p>${escaped(note)}</p>`).join('\n')}
</body>
</html>
`;
