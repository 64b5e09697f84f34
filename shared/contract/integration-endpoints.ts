interface Addresses {
  baseUrl: string;
  INTEGRATIONS_URL?: string | undefined;
}

export const endpointsPath = '/~integrations/v1';

/** Where scripts answer requests, as clients reach it: an address without a slash at the end. */
export const endpointsUrlOf = ({ INTEGRATIONS_URL, baseUrl }: Addresses): string =>
  (INTEGRATIONS_URL ?? baseUrl).replace(/\/+$/, '') + endpointsPath;

/** Where visitors of a site sign in whom an integration identifies. */
export const visitorAuthenticationUrl = (addresses: Addresses, site: string): string =>
  `${endpointsUrlOf(addresses)}/sites/${site}/visitor-auth`;
