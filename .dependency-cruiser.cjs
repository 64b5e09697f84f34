/** The groups and rooms of each service from the ground up: one imports only those below its own. */
const floors = {
  identity: [
    'users',
    'domains',
    'organizations',
    'accounts',
    'teams',
    'sign-in',
    'passkeys',
    'joining',
    'single-sign-on',
    'saml',
    'oidc',
    'audit',
    'first-start',
  ],
  comments: ['texts', 'places', 'notifications', 'digests', 'removal', 'transfers', 'threads'],
  reader: ['browser', 'words', 'style', 'marks', 'parts', 'feeds', 'visits', 'site', 'tracking', 'machines', 'pages'],
  app: [
    'sources',
    'browser',
    'words',
    'style',
    'elements',
    'sessions',
    'frame',
    'sign-in',
    'account',
    'organizations',
    'reading',
    'comments',
    'differences',
    'history',
    'changes',
    'editing',
    'tree',
    'imports',
    'sites',
    'people',
    'single-sign-on',
    'settings',
    'notifications',
  ],
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
    'archive',
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
    'mcp-servers',
    'permissions',
    'sites',
    'archive',
  ],
  content: {
    format: ['markdown', 'space', 'document', 'html', 'differences', 'texts', 'workers'],
    core: ['nodes', 'access', 'revisions', 'storage', 'fonts', 'translations', 'spaces', 'change-requests'],
    openapi: ['document', 'specs', 'pages', 'processing'],
    reading: ['embeds', 'pages', 'showing', 'comment-targets', 'links', 'search', 'visits'],
    writing: ['changes', 'merging', 'history', 'differences', 'computed', 'drafts'],
    assistance: ['memory', 'allowance', 'answers', 'translating'],
    exchange: ['git', 'conversion', 'imports', 'exports', 'archive', 'copies', 'templates', 'sync'],
    upkeep: ['retention', 'transfers'],
  },
};

/** The doors of a service and of a group: files that all its rooms may import. */
const doors = ['contract', 'resources', 'events', 'dependencies'];

const notTests = '\\.test\\.ts$|/testing/';

const named = (names) => `(${names.join('|')})`;

/** A folder of a service imports only folders before its own in the list, and no `service.ts`. */
const floorRules = (place, folders) => [
  ...folders.map((folder, at) => ({
    name: `${place.replaceAll('/', '-')}-${folder}-imports-nothing-above`,
    comment: 'Groups and rooms stand on floors, from the ground up.',
    severity: 'error',
    from: { path: `^services/${place}/${folder}/`, pathNot: notTests },
    to: { path: `^services/${place}/${named([...folders.slice(at + 1).map((each) => `${each}/`), 'service\\.ts'])}` },
  })),
  {
    name: `${place.replaceAll('/', '-')}-folders-have-a-floor`,
    comment: 'A new group or room is added to the floors.',
    severity: 'error',
    from: {},
    to: { path: `^services/${place}/[^/]+/`, pathNot: `^services/${place}/${named([...doors, ...folders])}/` },
  },
];

const roomRules = Object.entries(floors).flatMap(([service, rooms]) =>
  Array.isArray(rooms)
    ? floorRules(service, rooms)
    : [
        ...floorRules(service, Object.keys(rooms)),
        ...Object.entries(rooms).flatMap(([group, inGroup]) => floorRules(`${service}/${group}`, inGroup)),
      ],
);

/** The services from the ground up. A service declares in its own contract what it asks of those above, and they implement it. */
const services = ['identity', 'content', 'comments', 'sites', 'integrations', 'insights', 'reader', 'app', 'gateway'];

const serviceRules = services.slice(0, -1).map((service, at) => ({
  name: `${service}-imports-no-service-above`,
  comment: 'Services see each other one way.',
  severity: 'error',
  from: { path: `^services/${service}/`, pathNot: notTests },
  to: { path: `^services/${named(services.slice(at + 1))}/` },
}));

/** The rules of the house: services meet only in contracts, resources and events; shared/ knows no service. */
module.exports = {
  forbidden: [
    ...serviceRules,
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
      name: 'gateway-reader-and-app-hold-no-store',
      severity: 'error',
      from: { path: '^services/(gateway|reader|app)/' },
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
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
};
