/** Sites with an oEmbed endpoint that their pages do not name, or only to browsers: the hosts of their pages, without `www.`. */
const providers: readonly { hosts: readonly string[]; endpoint: string }[] = [
  {
    hosts: ['youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtu.be'],
    endpoint: 'https://www.youtube.com/oembed',
  },
  { hosts: ['vimeo.com', 'player.vimeo.com'], endpoint: 'https://vimeo.com/api/oembed.json' },
  { hosts: ['codepen.io'], endpoint: 'https://codepen.io/api/oembed' },
  { hosts: ['open.spotify.com'], endpoint: 'https://open.spotify.com/oembed' },
  { hosts: ['figma.com'], endpoint: 'https://www.figma.com/api/oembed' },
  { hosts: ['loom.com'], endpoint: 'https://www.loom.com/v1/oembed' },
];

const endpointByHost = new Map(providers.flatMap(({ hosts, endpoint }) => hosts.map((host) => [host, endpoint])));

/** The address at which a known site answers what to embed for `address`; undefined for any other site. */
export function knownOEmbed(address: string): string | undefined {
  const endpoint = endpointByHost.get(new URL(address).hostname.replace(/^www\./, ''));
  return endpoint && `${endpoint}?${new URLSearchParams({ format: 'json', url: address })}`;
}
