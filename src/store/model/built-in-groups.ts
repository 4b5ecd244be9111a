/* The groups of every installation, by id. */

export const ADMINISTRATORS = 1
export const MANAGERS = 2
export const CLIENTS = 3

/** No access rule limits what members of the group of administrators do in the tables that their token reaches. */
export const hasEveryRight = ({ groupId }: { readonly groupId: number }): boolean => groupId === ADMINISTRATORS
