export function check (table: object): Promise<void>
