const placeholders = /\{change_request_(number|subject)\}/g;

/** The message of a commit that has no change request to name. */
const nothingToName = 'No commit message';

/** The message of a commit. `changeRequest`: the one whose merge is exported. */
export function commitMessage(
  template: string,
  changeRequest: { number: number; subject?: string | undefined } | undefined,
): string {
  if (!changeRequest) return template.search(placeholders) < 0 ? plain(template) : nothingToName;
  const { number, subject } = changeRequest;
  return plain(
    template.replace(placeholders, (_, name) => (name === 'number' ? String(number) : subject || 'No subject')),
  );
}

/** Without the characters that git does not take in a message. */
const plain = (message: string): string => message.replace(/[^\P{Cc}\n\t]/gu, '').trim() || nothingToName;
