import { collection, type Write, write } from '../../../shared/store/port.js';
import type { StoredCustomization } from './resources.js';

/** The customization of a site as it was last set; `_id` is that of the site. */
export interface CustomizationDocument {
  _id: string;
  settings: StoredCustomization;
}

export const customizations = collection<CustomizationDocument>('sites_customizations');

/** The writes that delete what this room stores of a site. */
export const customizationDeletion = (site: string): Write[] => [write.delete(customizations, { _id: site })];
