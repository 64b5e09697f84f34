/** Texts that say what was just done. */
export const done = {
  saved: 'Saved.',
  created: 'Created.',
  deleted: 'Deleted.',
  restored: 'Restored.',
  signedOut: 'You are signed out.',
  sessionEnded: 'That browser is signed out.',
  sessionsEnded: 'All other browsers are signed out.',
  tokenRevoked: 'The token is revoked.',
  linkSent: 'If there is an account with this address, a mail with a link is on its way.',
};
