export function bound (time: Date): string
export function timeOf (id: string): Date
