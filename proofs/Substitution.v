(** Formulas in the place of propositions, and equal formulas in the place of
    each other: what is proved with propositions holds with any formulas, at
    any place of a larger formula. *)

From Coq Require Import Setoid Morphisms.
From Shall Require Import Definitions Ways Normal.

Fixpoint substitute (s : atom -> form) (f : form) : form :=
  match f with
  | Top => Top
  | Bot => Bot
  | Var a => s a
  | Not p => Not (substitute s p)
  | And p q => And (substitute s p) (substitute s q)
  | Or p q => Or (substitute s p) (substitute s q)
  | Imp p q => Imp (substitute s p) (substitute s q)
  | Iff p q => Iff (substitute s p) (substitute s q)
  | Xor p q => Xor (substitute s p) (substitute s q)
  | F_ b p => F_ b (substitute s p)
  | G_ b p => G_ b (substitute s p)
  | O_ b p => O_ b (substitute s p)
  | H_ b p => H_ b (substitute s p)
  | U_ b p q => U_ b (substitute s p) (substitute s q)
  | R_ b p q => R_ b (substitute s p) (substitute s q)
  | S_ b p q => S_ b (substitute s p) (substitute s q)
  | T_ b p q => T_ b (substitute s p) (substitute s q)
  end.

(** The substituted formula is the formula on a trace whose propositions are
    the values of the substitutes. *)
Lemma substitute_is m l at_i s f : forall i,
  sem m (Trace l at_i) (substitute s f) i <-> sem m (Trace l (fun j a => sem m (Trace l at_i) (s a) j)) f i.
Proof.
  induction f; intros i; cbn [substitute sem];
    try (setoid_rewrite IHf || (setoid_rewrite IHf1; setoid_rewrite IHf2)); reflexivity.
Qed.

(** Only the values of propositions matter. *)
Lemma sem_same m l at_i at_j f : (forall i a, at_i i a <-> at_j i a) ->
  forall i, sem m (Trace l at_i) f i <-> sem m (Trace l at_j) f i.
Proof.
  intros Hsame. induction f; intros i; cbn [sem];
    try (setoid_rewrite IHf || (setoid_rewrite IHf1; setoid_rewrite IHf2)); try reflexivity.
  apply Hsame.
Qed.

(** What is equal with propositions is equal with any formulas. *)
Theorem equiv_substitute s f g : equiv f g -> equiv (substitute s f) (substitute s g).
Proof.
  intros E m [l at_i] i Hi. rewrite !substitute_is. apply E. exact Hi.
Qed.

(** Equal formulas are equal inside a larger one. *)
Theorem substitute_equal s t f : (forall a, equiv (s a) (t a)) -> equiv (substitute s f) (substitute t f).
Proof.
  intros Hst. induction f; cbn [substitute]; try exact (equiv_refl _); try apply Hst;
    try (intros m tr i Hi; cbn [sem]; first [rewrite (IHf m tr i Hi) | rewrite (IHf1 m tr i Hi), (IHf2 m tr i Hi)]; reflexivity).
  - intros m tr i Hi. rewrite (F_way b _ m tr i Hi), (F_way b (substitute t f) m tr i Hi).
    apply (Way_congruent Ahead); auto using equiv_refl.
  - intros m tr i Hi. rewrite (G_way b _ m tr i Hi), (G_way b (substitute t f) m tr i Hi).
    refine (not_congruent _ _ _ m tr i Hi). apply (Way_congruent Ahead); auto using equiv_refl, not_congruent.
  - intros m tr i Hi. rewrite (O_way b _ m tr i Hi), (O_way b (substitute t f) m tr i Hi).
    apply (Way_congruent Back); auto using equiv_refl.
  - intros m tr i Hi. rewrite (H_way b _ m tr i Hi), (H_way b (substitute t f) m tr i Hi).
    refine (not_congruent _ _ _ m tr i Hi). apply (Way_congruent Back); auto using equiv_refl, not_congruent.
  - apply (Way_congruent Ahead); assumption.
  - intros m tr i Hi. rewrite (R_way b _ _ m tr i Hi), (R_way b (substitute t f1) _ m tr i Hi).
    refine (not_congruent _ _ _ m tr i Hi). apply (Way_congruent Ahead); auto using not_congruent.
  - apply (Way_congruent Back); assumption.
  - intros m tr i Hi. rewrite (T_way b _ _ m tr i Hi), (T_way b (substitute t f1) _ m tr i Hi).
    refine (not_congruent _ _ _ m tr i Hi). apply (Way_congruent Back); auto using not_congruent.
Qed.
