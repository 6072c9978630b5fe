/** Whether browsers withhold some of their parts because the page came over plain HTTP from another machine: audio worklets, service workers, push messages. */
export const lacksHttps = (): boolean => (globalThis as { readonly isSecureContext?: boolean }).isSecureContext === false;
