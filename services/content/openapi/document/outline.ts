/** The parts of a specification by name, without their details: pages are made from it. The length of its texts is bounded. */
export interface SpecOutline {
  title: string;
  version?: string;
  description?: string;
  /** The declared tags in their order, then those that only operations and webhooks name. */
  tags: OutlinedTag[];
  operations: OutlinedOperation[];
  webhooks: OutlinedWebhook[];
  /** The names of the schemas of the components. */
  schemas: string[];
}

export interface OutlinedTag {
  name: string;
  title?: string;
  /** The description for the tag's page, else the tag's own. */
  description?: string;
  icon?: string;
  /** The name of the tag that holds this one. */
  parent?: string;
}

export interface OutlinedOperation {
  path: string;
  /** In lower case. */
  method: string;
  summary?: string;
  operationId?: string;
  deprecated?: boolean;
  /** Each once. */
  tags: string[];
}

export interface OutlinedWebhook {
  name: string;
  /** In lower case. */
  method: string;
  summary?: string;
  /** Each once. */
  tags: string[];
}
