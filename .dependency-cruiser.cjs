/** The rooms of each service from the ground up: a room imports only rooms below its own. */
const floors = {
  identity: [
    'users',
    'domains',
    'organizations',
    'accounts',
    'teams',
    'sign-in',
    'joining',
    'saml',
    'audit',
    'first-start',
  ],
  comments: ['texts', 'places', 'digests', 'removal', 'threads'],
  gateway: ['http', 'api', 'reference', 'endpoints', 'pages'],
  integrations: [
    'runtime',
    'catalogue',
    'deliveries/queue',
    'webhooks',
    'installations',
    'removal',
    'deliveries/records',
    'deliveries/attempts',
    'deliveries/notices',
    'serving',
    'listings',
  ],
  insights: ['events', 'visitors', 'tracking', 'aggregation', 'segments', 'exports', 'removal', 'backup'],
  sites: [
    'renderers',
    'site',
    'publishing',
    'structure',
    'customization',
    'sections',
    'visiting',
    'redirects',
    'sites',
  ],
};

const roomRules = Object.entries(floors).flatMap(([service, rooms]) => [
  ...rooms.map((room, at) => ({
    name: `${service}-${room}-knows-no-room-above`,
    comment: 'The rooms of a service stand on floors, from the ground up.',
    severity: 'error',
    from: { path: `^services/${service}/${room}/`, pathNot: '\\.test\\.ts$|/testing/' },
    to: {
      path: `^services/${service}/(${[...rooms.slice(at + 1).map((each) => `${each}/`), 'service\\.ts'].join('|')})`,
    },
  })),
  {
    name: `${service}-rooms-have-a-floor`,
    comment: 'A new room is added to the floors of its service.',
    severity: 'error',
    from: {},
    to: { path: `^services/${service}/[^/]+/`, pathNot: `^services/${service}/(contract|${rooms.join('|')})/` },
  },
]);

/** The rules of the house: services meet only in contracts, resources and events; shared/ knows no service. */
module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'services-meet-in-contracts',
      comment:
        'A service imports of another one only contract.ts, resources.ts and events.ts; commands reach into all.',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: '^services/commands/' },
      to: {
        path: '^services/([^/]+)/',
        pathNot: ['^services/$1/', '^services/[^/]+/(contract|resources|events)\\.ts$'],
      },
    },
    {
      name: 'files-above-the-services-compose',
      comment: 'start.ts composes the services, consumers.ts their subscriptions; neither reaches into a room.',
      severity: 'error',
      from: { path: '^services/[^/]+\\.ts$', pathNot: '\\.test\\.ts$' },
      to: { path: '^services/[^/]+/', pathNot: '^services/[^/]+/(service|subscriptions|contracts)\\.ts$' },
    },
    {
      name: 'identity-stands-below-all',
      comment: 'Identity declares what it asks of the services above (contract.ts), and they implement it.',
      severity: 'error',
      from: { path: '^services/identity/' },
      to: { path: '^services/(?!identity/)' },
    },
    {
      name: 'integrations-stands-above',
      comment: 'Services below declare in their own contract, resources and events what they ask of integrations.',
      severity: 'error',
      from: { path: '^services/(identity|content|sites|comments)/' },
      to: { path: '^services/integrations/' },
    },
    {
      name: 'handlers-are-for-the-service',
      comment: 'A room is used through its rules and its model; its handlers are bound by service.ts.',
      severity: 'error',
      from: { path: '^services/', pathNot: ['^services/[^/]+/service\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^services/.*-handlers\\.ts$' },
    },
    {
      name: 'resources-stand-alone',
      comment: 'resources.ts imports other resources.ts and shared/ alone.',
      severity: 'error',
      from: { path: '^services/.+/resources\\.ts$' },
      to: { path: '^services/', pathNot: '^services/.+/resources\\.ts$' },
    },
    {
      name: 'shared-knows-no-service',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(services|test|bench)/' },
    },
    {
      name: 'product-knows-no-test',
      severity: 'error',
      from: { path: '^(services|shared)/', pathNot: '\\.test\\.ts$|/suite/|/testing/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'only-adapters-know-databases',
      comment: 'Database drivers stay behind the store, blob and analytics ports.',
      severity: 'error',
      from: {
        path: '^(services|shared)/',
        pathNot: '^shared/(store|blobs|analytics)/|^shared/settings/data-lock\\.ts$',
      },
      to: { path: '^node_modules/(mongodb|libsql|@clickhouse|chdb)/' },
    },
    {
      name: 'gateway-holds-no-store',
      severity: 'error',
      from: { path: '^services/gateway/' },
      to: { path: '^shared/store/' },
    },
    {
      name: 'no-unresolvable',
      comment: 'Syntax trees of unified have their types in @types alone; dist/ is there after a build.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(hast|mdast)$|(^|/)dist/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js'],
    },
  },
};
