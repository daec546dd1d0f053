/*
 * vb_functions.h
 *	  The setting uuidnew.vb_mac.
 */
#ifndef UUIDNEW_VB_FUNCTIONS_H
#define UUIDNEW_VB_FUNCTIONS_H

extern void uuidnew_vb_define(void);

#endif							/* UUIDNEW_VB_FUNCTIONS_H */
