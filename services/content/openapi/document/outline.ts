/** What pages are made from: the parts of a specification by name, without their details. Its texts are bounded. */
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
  /** That of its page, else its own. */
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
