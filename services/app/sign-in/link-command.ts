/** The command by which whoever runs the server makes a link for somebody to sign in with. */
export const linkCommand = 'npm run token -- link --email …';
