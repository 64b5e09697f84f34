/** Mails of former releases have the code of their link in the fragment, which no server sees. */
export function openFormerLink(): void {
  const [, code] = /^#code=([\w-]{1,200})$/.exec(location.hash) ?? [];
  if (code !== undefined && location.pathname.endsWith('/app/sign-in'))
    location.replace(`${location.pathname}?code=${code}`);
}
