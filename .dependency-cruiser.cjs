/** The rules of the house: services meet only in contracts, resources and events; shared/ knows no service. */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'But for the reader of pages: blocks hold tables, which hold blocks.',
      severity: 'error',
      from: { pathNot: '^services/content/format/' },
      to: { circular: true },
    },
    {
      name: 'services-meet-in-contracts',
      comment: 'A service imports of another one only contract.ts, resources.ts and events.ts.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: {
        path: '^services/([^/]+)/',
        pathNot: ['^services/$1/', '^services/[^/]+/(contract|resources|events)\\.ts$'],
      },
    },
    {
      name: 'resources-stand-alone',
      comment: 'resources.ts imports other resources.ts and shared/ alone.',
      severity: 'error',
      from: { path: '^services/[^/]+/resources\\.ts$' },
      to: { path: '^services/', pathNot: '^services/[^/]+/resources\\.ts$' },
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
      from: { path: '^(services|shared)/', pathNot: '^shared/(store|blobs)/|^shared/(analytics|data-lock)\\.ts$' },
      to: { path: '^node_modules/(mongodb|libsql|@clickhouse|chdb)/' },
    },
    {
      name: 'gateway-holds-no-store',
      severity: 'error',
      from: { path: '^services/gateway/' },
      to: { path: '^shared/store/' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
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
