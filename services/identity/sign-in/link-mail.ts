import type { Message } from '../../../shared/outbound/mail.js';
import { linkParagraph, mailPage, paragraph, safeLine } from '../../../shared/outbound/mail-text.js';

/** An invitation as the mail words it: the title of the organization and the display name of the inviter. */
export interface Invitation {
  /** The id of the organization. Who signs in by the link accepts the invitation. */
  id: string;
  organization: string;
  inviter: string;
}

/** The address of a sign-in link, by its code. */
export const linkAddress = (baseUrl: string, code: string): string => `${baseUrl}/app/sign-in?code=${code}`;

const dayMs = 24 * 3_600_000;

function validityText(expiresAt: string): string {
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
  const organization = invitation ? safeLine(invitation.organization) : '';
  const subject = invitation ? `You are invited to ${organization}` : 'Sign in to Bindery';
  const why = invitation
    ? `${safeLine(invitation.inviter)} invited you to ${organization} on Bindery. To join, sign in here:`
    : 'You, or somebody who knows your address, asked to sign in to Bindery. Sign in here:';
  const validity = `The link works once, ${validityText(expiresAt)}.`;
  const otherwise = 'If you did not expect this mail, ignore it: nobody can sign in without the link.';
  return {
    subject,
    text: `${why}\n\n${link}\n\n${validity}\n${otherwise}\n`,
    html: mailPage(subject, [paragraph(why), linkParagraph(link), paragraph(validity), paragraph(otherwise)]),
  };
}
