(** A checker for equality of formulas: if it says yes, two formulas are equal
    at every position of every trace, for every duration. It compares Boolean
    combinations by truth tables whose variables are the temporal
    subformulas, and knows a few facts about these. It may say no to formulas
    that are equal. *)

From Coq Require Import Arith Lia Classical List Bool.
From Shall Require Import Definitions Runs Operators Ways.
Import ListNotations.

(** Conjunction and disjunction that do not compute what they do not need. *)
Notation "a &&& b" := (if a then b else false) (at level 40, left associativity).
Notation "a ||| b" := (if a then true else b) (at level 50, left associativity).

Lemma both_true (a b : bool) : (a &&& b) = true <-> a = true /\ b = true.
Proof. destruct a, b; intuition congruence. Qed.

Lemma either_true (a b : bool) : (a ||| b) = true <-> a = true \/ b = true.
Proof. destruct a, b; intuition congruence. Qed.

(** * Syntax *)

Definition atom_eqb (a b : atom) : bool :=
  match a, b with
  | MODE, MODE | COND, COND | STOP, STOP | RES, RES | LAST, LAST => true
  | _, _ => false
  end.

Definition num_eqb (a b : num) : bool :=
  match a, b with K x, K y | M x, M y => x =? y | _, _ => false end.

(** At most, whatever [m] is. *)
Definition num_leb (a b : num) : bool :=
  match a, b with K x, K y | M x, M y | K x, M y => x <=? y | M _, K _ => false end.

Definition high_eqb (a b : option num) : bool :=
  match a, b with Some x, Some y => num_eqb x y | None, None => true | _, _ => false end.

Definition high_leb (a b : option num) : bool :=
  match a, b with _, None => true | Some x, Some y => num_leb x y | None, Some _ => false end.

Definition bound_eqb (a b : bound) : bool := num_eqb (low a) (low b) &&& high_eqb (high a) (high b).

Definition within_bound (a b : bound) : bool := num_leb (low b) (low a) &&& high_leb (high a) (high b).

Definition starts_here (b : bound) : bool := num_eqb (low b) (K 0).

Definition is_point (b : bound) : bool := high_eqb (high b) (Some (low b)).

Fixpoint form_eqb (f g : form) : bool :=
  match f, g with
  | Top, Top | Bot, Bot => true
  | Var a, Var b => atom_eqb a b
  | Not p, Not q => form_eqb p q
  | And p q, And p' q' | Or p q, Or p' q' | Imp p q, Imp p' q' | Iff p q, Iff p' q' | Xor p q, Xor p' q' =>
      form_eqb p p' &&& form_eqb q q'
  | F_ b p, F_ b' p' | G_ b p, G_ b' p' | O_ b p, O_ b' p' | H_ b p, H_ b' p' => bound_eqb b b' &&& form_eqb p p'
  | U_ b p q, U_ b' p' q' | R_ b p q, R_ b' p' q' | S_ b p q, S_ b' p' q' | T_ b p q, T_ b' p' q' =>
      bound_eqb b b' &&& form_eqb p p' &&& form_eqb q q'
  | _, _ => false
  end.

Lemma num_eqb_eq a b : num_eqb a b = true -> a = b.
Proof. destruct a, b; simpl; try discriminate; intros E; apply Nat.eqb_eq in E; congruence. Qed.

Lemma high_eqb_eq a b : high_eqb a b = true -> a = b.
Proof. destruct a, b; simpl; try discriminate; auto. intros E. apply num_eqb_eq in E. congruence. Qed.

Lemma bound_eqb_eq a b : bound_eqb a b = true -> a = b.
Proof.
  destruct a, b. unfold bound_eqb. simpl. rewrite both_true. intros [H1 H2].
  apply num_eqb_eq in H1. apply high_eqb_eq in H2. congruence.
Qed.

Lemma form_eqb_eq f : forall g, form_eqb f g = true -> f = g.
Proof.
  induction f; intros g; destruct g; simpl; try discriminate; rewrite ?both_true; intros E;
    repeat match goal with
    | E : _ /\ _ |- _ => destruct E
    | E : bound_eqb _ _ = true |- _ => apply bound_eqb_eq in E
    | IH : forall g, form_eqb ?f g = true -> _, E : form_eqb ?f _ = true |- _ => apply IH in E
    end; subst; auto.
  destruct a, a0; simpl in E; congruence.
Qed.

Lemma num_leb_le m a b : num_leb a b = true -> val m a <= val m b.
Proof. destruct a, b; simpl; try discriminate; intros E; apply Nat.leb_le in E; lia. Qed.

Lemma within_bound_window m a b k : within_bound a b = true -> window m a k -> window m b k.
Proof.
  unfold within_bound, window. rewrite both_true. intros [H1 H2] [H3 H4]. apply (num_leb_le m) in H1. split; [lia |].
  destruct (high a), (high b); simpl in *; auto; try discriminate. apply (num_leb_le m) in H2. lia.
Qed.

Lemma starts_window m a b k j : high_leb (high a) (high b) = true -> starts_here b = true ->
  window m a k -> j <= k -> window m b j.
Proof.
  unfold starts_here, window. intros H1 H2 [H3 H4] Hj. apply num_eqb_eq in H2. rewrite H2. simpl. split; [lia |].
  destruct (high a), (high b); simpl in *; auto; try discriminate. apply (num_leb_le m) in H1. lia.
Qed.

(** * Truth tables *)

Definition valid (f : form) : Prop := forall m tr i, inside tr i -> sem m tr f i.

(** Boolean combinations of numbered variables. *)
Inductive table :=
| TTop | TBot | TVar (k : nat) | TNot (p : table) | TAnd (p q : table) | TOr (p q : table)
| TImp (p q : table) | TIff (p q : table).

Fixpoint value (v : list bool) (t : table) : bool :=
  match t with
  | TTop => true
  | TBot => false
  | TVar k => nth k v false
  | TNot p => negb (value v p)
  | TAnd p q => value v p &&& value v q
  | TOr p q => value v p ||| value v q
  | TImp p q => if value v p then value v q else true
  | TIff p q => eqb (value v p) (value v q)
  end.

(** All values of n variables pass the test. *)
Fixpoint all_values (n : nat) (test : list bool -> bool) : bool :=
  match n with
  | 0 => test []
  | S n => all_values n (fun v => test (true :: v)) &&& all_values n (fun v => test (false :: v))
  end.

Lemma all_values_sound n : forall test, all_values n test = true -> forall v, length v = n -> test v = true.
Proof.
  induction n as [|n IH]; simpl; intros test Ht v Hv.
  - destruct v; [assumption | discriminate].
  - apply both_true in Ht. destruct Ht as [H1 H2]. destruct v as [|[] v]; [discriminate | |]; simpl in Hv; injection Hv as Hv.
    + apply (IH _ H1 v Hv).
    + apply (IH _ H2 v Hv).
Qed.

Section Tables.
(** Which temporal formulas are known to be equal. *)
Variable same : form -> form -> bool.
Hypothesis same_sound : forall a b, same a b = true -> equiv a b.

Fixpoint find (l : list form) (a : form) : option nat :=
  match l with
  | [] => None
  | b :: l => if same b a then Some 0 else option_map S (find l a)
  end.

Definition both (op : table -> table -> table) (p q : option table) : option table :=
  match p, q with Some p, Some q => Some (op p q) | _, _ => None end.

(** The formula over the variables [l]. *)
Fixpoint abstract (l : list form) (f : form) : option table :=
  match f with
  | Top => Some TTop
  | Bot => Some TBot
  | Not p => option_map TNot (abstract l p)
  | And p q => both TAnd (abstract l p) (abstract l q)
  | Or p q => both TOr (abstract l p) (abstract l q)
  | Imp p q => both TImp (abstract l p) (abstract l q)
  | Iff p q => both TIff (abstract l p) (abstract l q)
  | Xor p q => option_map TNot (both TIff (abstract l p) (abstract l q))
  | _ => option_map TVar (find l f)
  end.

Fixpoint abstracts (l : list form) (fs : list form) : list table :=
  match fs with
  | [] => []
  | f :: fs => match abstract l f with Some t => t :: abstracts l fs | None => abstracts l fs end
  end.

Fixpoint all_true (v : list bool) (ts : list table) : bool :=
  match ts with [] => true | t :: ts => value v t &&& all_true v ts end.

(** The goal follows from the facts. *)
Definition follows (l facts : list form) (goal : form) : bool :=
  match abstract l goal with
  | None => false
  | Some t =>
      let ts := abstracts l facts in
      all_values (length l) (fun v => if all_true v ts then value v t else true)
  end.

Section Position.
Variables (m : nat) (tr : trace) (i : nat).
Hypothesis inside_i : inside tr i.

Definition reflects (l : list form) (v : list bool) : Prop :=
  length v = length l /\
  forall k a, nth_error l k = Some a -> (sem m tr a i <-> nth k v false = true).

Lemma reflects_exists l : exists v, reflects l v.
Proof.
  induction l as [|a l [v [Hl Hv]]].
  - exists []. split; [reflexivity |]. intros [|k] a E; discriminate.
  - destruct (classic (sem m tr a i)) as [Ha | Ha]; [exists (true :: v) | exists (false :: v)];
      (split; [simpl; congruence |]); intros [|k] x E; simpl in *; auto; injection E as <-; simpl; split; auto; try tauto; discriminate.
Qed.

Lemma find_sound l v a k : reflects l v -> find l a = Some k -> (sem m tr a i <-> nth k v false = true).
Proof.
  intros [_ Hv]. assert (forall l k, find l a = Some k -> exists b, nth_error l k = Some b /\ same b a = true) as Hfind.
  { clear. induction l as [|b l IH]; simpl; intros k E; [discriminate |]. destruct (same b a) eqn:Es.
    - injection E as <-. exists b. auto.
    - destruct (find l a) as [k'|]; [| discriminate]. injection E as <-. apply IH. reflexivity. }
  intros E. destruct (Hfind l k E) as [b [Hb Hs]]. rewrite <- (Hv k b Hb). symmetry. apply same_sound; assumption.
Qed.

Lemma abstract_sound l v f : reflects l v -> forall t, abstract l f = Some t -> (sem m tr f i <-> value v t = true).
Proof.
  intros Hv.
  assert (forall op p q t, both op p q = Some t -> exists a b, p = Some a /\ q = Some b /\ t = op a b) as Hboth.
  { intros op p q t E. destruct p, q; try discriminate. injection E as <-. eauto. }
  induction f; intros t E; cbn [abstract] in E;
    try (destruct (find l _) as [k|] eqn:Ef in E; [| discriminate]; injection E as <-; apply (find_sound l v _ k Hv Ef)).
  - injection E as <-. simpl. tauto.
  - injection E as <-. simpl. split; [tauto | discriminate].
  - destruct (abstract l f) as [a|]; [| discriminate]. injection E as <-. simpl. rewrite (IHf a eq_refl).
    destruct (value v a); simpl; intuition congruence.
  - apply Hboth in E. destruct E as [a [b [Ea [Eb ->]]]]. simpl. rewrite (IHf1 a Ea), (IHf2 b Eb), both_true. reflexivity.
  - apply Hboth in E. destruct E as [a [b [Ea [Eb ->]]]]. simpl. rewrite (IHf1 a Ea), (IHf2 b Eb), either_true. reflexivity.
  - apply Hboth in E. destruct E as [a [b [Ea [Eb ->]]]]. simpl. rewrite (IHf1 a Ea), (IHf2 b Eb).
    destruct (value v a), (value v b); simpl; intuition congruence.
  - apply Hboth in E. destruct E as [a [b [Ea [Eb ->]]]]. simpl. rewrite (IHf1 a Ea), (IHf2 b Eb).
    destruct (value v a), (value v b); simpl; intuition congruence.
  - destruct (both TIff (abstract l f1) (abstract l f2)) as [t'|] eqn:E'; [| discriminate]. injection E as <-.
    apply Hboth in E'. destruct E' as [a [b [Ea [Eb ->]]]]. simpl. rewrite (IHf1 a Ea), (IHf2 b Eb).
    destruct (value v a), (value v b); simpl; intuition congruence.
Qed.

Lemma abstracts_sound l v fs : reflects l v -> (forall f, List.In f fs -> sem m tr f i) ->
  all_true v (abstracts l fs) = true.
Proof.
  intros Hv. induction fs as [|f fs IH]; intros Hf; [reflexivity |]. simpl. destruct (abstract l f) as [t|] eqn:E.
  - simpl. apply both_true. split; [apply (abstract_sound l v f Hv t E), Hf; left; reflexivity |]. apply IH. intros g Hg. apply Hf. right. assumption.
  - apply IH. intros g Hg. apply Hf. right. assumption.
Qed.
End Position.

Lemma follows_sound l facts goal :
  (forall f, List.In f facts -> valid f) -> follows l facts goal = true -> valid goal.
Proof.
  intros Hf Hc m tr i Hi. unfold follows in Hc. destruct (abstract l goal) as [t|] eqn:E; [| discriminate].
  destruct (reflects_exists m tr i l) as [v Hv]. pose proof (proj1 Hv) as Hl.
  apply (abstract_sound m tr i Hi l v goal Hv t E).
  pose proof (all_values_sound _ _ Hc v Hl) as Ht. cbv beta in Ht.
  rewrite (abstracts_sound m tr i Hi l v facts Hv) in Ht; [exact Ht |]. intros f Hin. apply Hf; assumption.
Qed.

(** The temporal formulas and propositions of a formula. *)
Fixpoint variables (f : form) (l : list form) : list form :=
  match f with
  | Top | Bot => l
  | Not p => variables p l
  | And p q | Or p q | Imp p q | Iff p q | Xor p q => variables p (variables q l)
  | _ => match find l f with Some _ => l | None => f :: l end
  end.
End Tables.

(** * Facts about temporal formulas *)

Definition as_way (f : form) : option (direction * bound * form * form) :=
  match f with
  | U_ b p q => Some (Ahead, b, p, q)
  | S_ b p q => Some (Back, b, p, q)
  | _ => None
  end.

Lemma as_way_is f d b p q : as_way f = Some (d, b, p, q) -> f = Way d b p q.
Proof. destruct f; simpl; try discriminate; intros E; injection E as <- <- <- <-; reflexivity. Qed.

Definition direction_eqb (d d' : direction) : bool :=
  match d, d' with Ahead, Ahead | Back, Back => true | _, _ => false end.

Lemma direction_eqb_eq d d' : direction_eqb d d' = true -> d = d'.
Proof. destruct d, d'; simpl; congruence. Qed.

Section Facts.
(** A sound test for formulas that are always true. *)
Variable sure : form -> bool.
Hypothesis sure_sound : forall f, sure f = true -> valid f.

Definition same_way (f g : form) : bool :=
  form_eqb f g |||
  match as_way f, as_way g with
  | Some (d, b, p, q), Some (d', b', p', q') =>
      direction_eqb d d' &&& bound_eqb b b' &&& sure (Iff q q') &&&
      sure (if starts_here b then Imp (Not q) (Iff p p') else Iff p p')
  | _, _ => false
  end.

(** What holds of one. *)
Definition fact1 (f : form) : list form :=
  match as_way f with
  | Some (d, b, p, q) => (if starts_here b then [Imp q f] else []) ++ [Imp f (Or p q)]
  | None => []
  end.

(** One implies the other. *)
Definition fact2 (f g : form) : list form :=
  match as_way f, as_way g with
  | Some (d, b, p, q), Some (d', b', p', q') =>
      if direction_eqb d d' &&&
         (if starts_here b' &&& high_leb (high b) (high b') then sure (Imp q q') &&& sure (Imp (And p (Not q')) p')
          else within_bound b b' &&& sure (Imp q q') &&& sure (Imp p p'))
      then [Imp f g] else []
  | _, _ => []
  end.

(** Two imply a third, or are implied by it. *)
Definition fact3 (f g h : form) : list form :=
  match as_way f, as_way g, as_way h with
  | Some (d, b, p, q), Some (d', b', p', q'), Some (d'', b'', p'', q'') =>
      if direction_eqb d d' &&& direction_eqb d d'' &&& bound_eqb b b' &&& bound_eqb b b'' then
        (if sure (Imp q'' (Or q q')) &&&
            (let path := if starts_here b then And p'' (Not (Or q q')) else p'' in sure (Imp path p) &&& sure (Imp path p'))
         then [Imp h (Or f g)] else []) ++
        (if sure (Imp (And p p') p'') &&&
            (sure (Imp q q'') &&& sure (Imp q' q'') ||| is_point b &&& sure (Imp (And q q') q''))
         then [Imp (And f g) h] else [])
      else []
  | _, _, _ => []
  end.

(** Two exclude each other. *)
Definition fact4 (f g : form) : list form :=
  match as_way f, as_way g with
  | Some (d, b, p, q), Some (d', b', p', q') =>
      if direction_eqb d d' &&& bound_eqb b b' &&& is_point b &&& sure (Not (And q q')) then [Not (And f g)] else []
  | _, _ => []
  end.

(** The windows [a,h] and [a+1,h] of one formula. *)
Definition fact5 (f g : form) : list form :=
  match as_way f, as_way g with
  | Some (d, b, p, q), Some (d', b', p', q') =>
      if direction_eqb d d' &&& num_eqb (low b') (succ (low b)) &&& high_eqb (high b) (high b') &&&
         (match high b with Some h => num_leb (low b) h | None => true end) &&&
         sure p &&& sure p' &&& sure (Iff q q')
      then [Iff f (Or (if starts_here b then q else Way d (exactly (low b)) Top q) g)] else []
  | _, _ => []
  end.

(** A way, and the same way one step later. *)
Definition fact6 (f g : form) : list form :=
  match as_way f, as_way g with
  | Some (d, b, p, q), Some (d', b', p', q') =>
      if direction_eqb d d' &&& bound_eqb b all &&& bound_eqb b' one_step &&& sure p' &&& sure (Iff q' f)
      then [Iff f (Or q (And p g))] else []
  | _, _ => []
  end.

Definition facts (l : list form) : list form :=
  flat_map (fun f => flat_map (fun g => fact2 f g ++ fact4 f g ++ fact5 f g ++ fact6 f g) l) l ++
  flat_map (fun f => flat_map (fun g => flat_map (fact3 f g) l) l) l.


Lemma iff_equiv f g : valid (Iff f g) -> equiv f g.
Proof. intros Hv m tr i Hi. apply (Hv m tr i Hi). Qed.

Lemma starts_0 m b : starts_here b = true -> window m b 0.
Proof.
  unfold starts_here, window. intros E. apply num_eqb_eq in E. rewrite E. simpl. split; [lia |]. destruct (high b); [lia | trivial].
Qed.

Ltac split_tests :=
  repeat match goal with
  | E : (_ &&& _) = true |- _ => apply both_true in E; destruct E
  | E : direction_eqb _ _ = true |- _ => apply direction_eqb_eq in E; subst
  | E : bound_eqb _ _ = true |- _ => apply bound_eqb_eq in E; subst
  end.

Lemma same_way_sound f g : same_way f g = true -> equiv f g.
Proof.
  unfold same_way. rewrite either_true. intros [E | E]; [apply form_eqb_eq in E; subst; apply equiv_refl |].
  destruct (as_way f) as [[[[d b] p] q]|] eqn:Ef; [| discriminate].
  destruct (as_way g) as [[[[d' b'] p'] q']|] eqn:Eg; [| discriminate].
  apply as_way_is in Ef. apply as_way_is in Eg. subst. split_tests.
  assert (valid (Iff q q')) as Hq by (apply sure_sound; assumption).
  destruct (starts_here b') eqn:Es.
  - assert (valid (Imp (Not q) (Iff p p'))) as Hp by (apply sure_sound; assumption).
    intros m tr i Hi. rewrite !sem_Way. split; apply way_first; auto.
    + intros k j. apply starts_window; [| assumption]. destruct (high b') as [x|]; [| reflexivity]. simpl. destruct x; simpl; apply Nat.leb_refl.
    + intros x Hx Hpx Hnq. apply (Hp m tr x Hx); [| assumption]. intros Hqx. apply Hnq. apply (Hq m tr x Hx). assumption.
    + intros x Hx. apply (Hq m tr x Hx).
    + intros k j. apply starts_window; [| assumption]. destruct (high b') as [x|]; [| reflexivity]. simpl. destruct x; simpl; apply Nat.leb_refl.
    + intros x Hx Hpx Hnq. apply (Hp m tr x Hx); assumption.
    + intros x Hx. apply (Hq m tr x Hx).
  - apply Way_congruent; apply iff_equiv; [apply sure_sound |]; assumption.
Qed.

Lemma fact1_sound f g : List.In g (fact1 f) -> valid g.
Proof.
  unfold fact1. destruct (as_way f) as [[[[d b] p] q]|] eqn:Ef; [| intros []]. apply as_way_is in Ef. subst.
  intros Hin. apply in_app_or in Hin. destruct Hin as [Hin | [<- | []]].
  - destruct (starts_here b) eqn:Es; [| destruct Hin]. destruct Hin as [<- | []]. intros m tr i Hi Hq.
    change (sem m tr (Way d b p q) i). rewrite sem_Way. apply way_now; auto using starts_0.
  - intros m tr i Hi Hw. change (sem m tr (Way d b p q) i) in Hw. rewrite sem_Way in Hw. apply way_starts in Hw. exact Hw.
Qed.

Lemma fact2_sound f g h : List.In h (fact2 f g) -> valid h.
Proof.
  unfold fact2. destruct (as_way f) as [[[[d b] p] q]|] eqn:Ef; [| intros []].
  destruct (as_way g) as [[[[d' b'] p'] q']|] eqn:Eg; [| intros []].
  apply as_way_is in Ef. apply as_way_is in Eg. subst.
  match goal with |- List.In _ (if ?t then _ else _) -> _ => destruct t eqn:E end; [| intros []].
  intros [<- | []] m tr i Hi Hw. change (sem m tr (Way d b p q) i) in Hw. change (sem m tr (Way d' b' p' q') i).
  rewrite sem_Way in *. split_tests. destruct (starts_here b' &&& high_leb (high b) (high b')) eqn:Es; split_tests.
  - assert (valid (Imp q q')) as Hq by (apply sure_sound; assumption). assert (valid (Imp (And p (Not q')) p')) as Hp by (apply sure_sound; assumption). revert Hw. apply way_first; auto.
    + intros k j. apply starts_window; assumption.
    + intros x Hx Hpx Hnq. apply (Hp m tr x Hx). split; assumption.
    + intros x Hx. apply (Hq m tr x Hx).
  - assert (valid (Imp q q')) as Hq by (apply sure_sound; assumption). assert (valid (Imp p p')) as Hp by (apply sure_sound; assumption). revert Hw. apply way_monotone; auto.
    + intros k. apply within_bound_window. assumption.
    + intros x Hx. apply (Hp m tr x Hx).
    + intros x Hx. apply (Hq m tr x Hx).
Qed.

Lemma fact3_sound f g h x : List.In x (fact3 f g h) -> valid x.
Proof.
  unfold fact3. destruct (as_way f) as [[[[d b] p] q]|] eqn:Ef; [| intros []].
  destruct (as_way g) as [[[[d' b'] p'] q']|] eqn:Eg; [| intros []].
  destruct (as_way h) as [[[[d'' b''] p''] q'']|] eqn:Eh; [| intros []].
  apply as_way_is in Ef. apply as_way_is in Eg. apply as_way_is in Eh. subst.
  match goal with |- List.In _ (if ?t then _ else _) -> _ => destruct t eqn:E end; [| intros []].
  repeat (apply both_true in E; let E' := fresh "E" in destruct E as [E E']).
  apply direction_eqb_eq in E, E2. apply bound_eqb_eq in E0, E1. subst d' d'' b' b''.
  intros Hin. apply in_app_or in Hin. destruct Hin as [Hin | Hin].
  - match type of Hin with List.In _ (if ?t then _ else _) => destruct t eqn:E end; [| destruct Hin]. split_tests.
    assert (valid (Imp q'' (Or q q'))) as Hq by (apply sure_sound; assumption). destruct Hin as [<- | []]. intros m tr i Hi Hw.
    change (sem m tr (Way d b p'' q'') i) in Hw. change (sem m tr (Way d b p q) i \/ sem m tr (Way d b p' q') i).
    rewrite !sem_Way in *.
    assert (way m tr d b (fun y => sem m tr p y /\ sem m tr p' y) (fun y => sem m tr q y \/ sem m tr q' y) i) as Hor.
    { destruct (starts_here b) eqn:Es.
      - assert (valid (Imp (And p'' (Not (Or q q'))) p)) as Hp by (apply sure_sound; assumption).
        assert (valid (Imp (And p'' (Not (Or q q'))) p')) as Hp' by (apply sure_sound; assumption).
        revert Hw. apply way_first; auto.
        + intros k j. apply starts_window; [| assumption]. destruct (high b) as [x|]; [| reflexivity]. simpl. destruct x; simpl; apply Nat.leb_refl.
        + intros y Hy Hpy Hn. split; [apply (Hp m tr y Hy) | apply (Hp' m tr y Hy)]; split; assumption.
        + intros y Hy. apply (Hq m tr y Hy).
      - assert (valid (Imp p'' p)) as Hp by (apply sure_sound; assumption).
        assert (valid (Imp p'' p')) as Hp' by (apply sure_sound; assumption).
        revert Hw. apply way_monotone; auto.
        + intros y Hy Hpy. split; [apply (Hp m tr y Hy) | apply (Hp' m tr y Hy)]; assumption.
        + intros y Hy. apply (Hq m tr y Hy). }
    apply way_or in Hor. destruct Hor as [Hor | Hor]; [left | right]; revert Hor; apply way_monotone; auto; intros y Hy; auto; tauto.
  - match type of Hin with List.In _ (if ?t then _ else _) => destruct t eqn:E end; [| destruct Hin]. split_tests.
    assert (valid (Imp (And p p') p'')) as Hp by (apply sure_sound; assumption). destruct Hin as [<- | []]. intros m tr i Hi Hw.
    change (sem m tr (Way d b p q) i /\ sem m tr (Way d b p' q') i) in Hw. change (sem m tr (Way d b p'' q'') i).
    rewrite !sem_Way in *. destruct Hw as [Hf Hg].
    match goal with E : (_ ||| _) = true |- _ => apply either_true in E; destruct E end; split_tests.
    + assert (valid (Imp q q'')) as Hq by (apply sure_sound; assumption). assert (valid (Imp q' q'')) as Hq' by (apply sure_sound; assumption).
      apply (way_monotone m tr d i Hi b b (fun y => sem m tr p y /\ sem m tr p' y) _ (sem m tr q'')); auto.
      * intros y Hy. apply (Hp m tr y Hy).
      * intros y Hy. auto.
      * apply way_both; [revert Hf | revert Hg]; apply way_monotone; auto; intros y Hy; auto; [apply (Hq m tr y Hy) | apply (Hq' m tr y Hy)].
    + assert (valid (Imp (And q q') q'')) as Hq by (apply sure_sound; assumption).
      assert (high b = Some (low b)) as Hpoint by (apply high_eqb_eq; assumption).
      assert (b = exactly (low b)) as Eb by (destruct b; simpl in *; subst; reflexivity). rewrite Eb in *.
      apply (way_monotone m tr d i Hi (exactly (low b)) (exactly (low b)) (fun y => sem m tr p y /\ sem m tr p' y) _ (fun y => sem m tr q y /\ sem m tr q' y)); auto.
      * intros y Hy. apply (Hp m tr y Hy).
      * intros y Hy. apply (Hq m tr y Hy).
      * apply way_point; assumption.
Qed.

Lemma fact4_sound f g h : List.In h (fact4 f g) -> valid h.
Proof.
  unfold fact4. destruct (as_way f) as [[[[d b] p] q]|] eqn:Ef; [| intros []].
  destruct (as_way g) as [[[[d' b'] p'] q']|] eqn:Eg; [| intros []].
  apply as_way_is in Ef. apply as_way_is in Eg. subst.
  match goal with |- List.In _ (if ?t then _ else _) -> _ => destruct t eqn:E end; [| intros []].
  repeat (apply both_true in E; let E' := fresh "E" in destruct E as [E E']).
  apply direction_eqb_eq in E. apply bound_eqb_eq in E2. subst d' b'.
  intros [<- | []] m tr i Hi [Hf Hg]. change (sem m tr (Way d b p q) i) in Hf. change (sem m tr (Way d b p' q') i) in Hg.
  rewrite sem_Way in *. assert (valid (Not (And q q'))) as Hq by (apply sure_sound; assumption).
  assert (high b = Some (low b)) as Hpoint by (apply high_eqb_eq; assumption).
  assert (b = exactly (low b)) as Eb by (destruct b; simpl in *; subst; reflexivity). rewrite Eb in *.
  destruct (way_point m tr d i (low b) _ _ _ _ Hf Hg) as [k [_ [Hk [Hkq _]]]].
  apply (Hq m tr (step d i k)); [apply there_inside; assumption | assumption].
Qed.

Lemma fact5_sound f g h : List.In h (fact5 f g) -> valid h.
Proof.
  unfold fact5. destruct (as_way f) as [[[[d b] p] q]|] eqn:Ef; [| intros []].
  destruct (as_way g) as [[[[d' b'] p'] q']|] eqn:Eg; [| intros []].
  apply as_way_is in Ef. apply as_way_is in Eg. subst.
  match goal with |- List.In _ (if ?t then _ else _) -> _ => destruct t eqn:E end; [| intros []].
  repeat (apply both_true in E; let E' := fresh "E" in destruct E as [E E']).
  apply direction_eqb_eq in E. apply num_eqb_eq in E5. apply high_eqb_eq in E4. apply sure_sound in E0, E1, E2. subst d'.
  intros [<- | []] m tr i Hi.
  assert (forall k, window m b k <-> k = val m (low b) \/ window m b' k) as Hw.
  { intros k. unfold window. rewrite E5, val_succ, <- E4. destruct (high b) as [x|]; [| lia].
    apply (num_leb_le m) in E3. lia. }
  assert (sem m tr (Way d b p q) i <-> sem m tr (Way d (exactly (low b)) Top q) i \/ sem m tr (Way d b' p' q') i) as Hsplit.
  { rewrite !sem_Way. split.
    - intros [k [Hk [Ht [Hq Hp]]]]. apply Hw in Hk. destruct Hk as [-> | Hk].
      + left. exists (val m (low b)). rewrite window_exactly. repeat split; auto.
      + right. exists k. split; [assumption | split; [assumption | split]].
        * apply (E0 m tr); [apply there_inside; assumption | assumption].
        * intros j Hj. apply (E1 m tr). apply there_inside; [assumption |]. apply (there_less d tr i k); [assumption | lia].
    - intros [[k [Hk [Ht [Hq Hp]]]] | [k [Hk [Ht [Hq Hp]]]]].
      + apply window_exactly in Hk. subst. exists (val m (low b)). split; [apply Hw; auto | split; [assumption | split; [assumption |]]].
        intros j Hj. apply (E2 m tr). apply there_inside; [assumption |]. apply (there_less d tr i (val m (low b))); [assumption | lia].
      + exists k. split; [apply Hw; auto | split; [assumption | split]].
        * apply (E0 m tr); [apply there_inside; assumption | assumption].
        * intros j Hj. apply (E2 m tr). apply there_inside; [assumption |]. apply (there_less d tr i k); [assumption | lia]. }
  change (sem m tr (Way d b p q) i <->
    sem m tr (if starts_here b then q else Way d (exactly (low b)) Top q) i \/ sem m tr (Way d b' p' q') i).
  destruct (starts_here b) eqn:Es; [| exact Hsplit].
  rewrite Hsplit. apply num_eqb_eq in Es. rewrite Es.
  assert (sem m tr (Way d (exactly (K 0)) Top q) i <-> sem m tr q i) as ->; [| reflexivity].
  rewrite sem_Way. split.
  - intros [k [Hk [_ [Hq _]]]]. apply window_exactly in Hk. simpl in Hk. subst. rewrite step_0 in Hq. assumption.
  - intros Hq. apply way_now; auto. apply window_exactly. reflexivity.
Qed.

Lemma fact6_sound f g h : List.In h (fact6 f g) -> valid h.
Proof.
  unfold fact6. destruct (as_way f) as [[[[d b] p] q]|] eqn:Ef; [| intros []].
  destruct (as_way g) as [[[[d' b'] p'] q']|] eqn:Eg; [| intros []].
  apply as_way_is in Ef. apply as_way_is in Eg. subst.
  match goal with |- List.In _ (if ?t then _ else _) -> _ => destruct t eqn:E end; [| intros []].
  repeat (apply both_true in E; let E' := fresh "E" in destruct E as [E E']).
  apply direction_eqb_eq in E. apply bound_eqb_eq in E2, E3. apply sure_sound in E0, E1. subst d' b b'.
  intros [<- | []] m tr i Hi.
  change (sem m tr (Way d all p q) i <-> sem m tr q i \/ (sem m tr p i /\ sem m tr (Way d one_step p' q') i)).
  rewrite !sem_Way. split.
  - intros [k [_ [Hk [Hq Hp]]]]. destruct k as [|k]; [left; rewrite step_0 in Hq; assumption | right].
    split; [rewrite <- (step_0 d i); apply Hp; lia |].
    replace (S k) with (1 + k) in Hk by lia. apply step_there in Hk. destruct Hk as [H1 Hk].
    exists 1. rewrite window_one. split; [reflexivity | split; [assumption | split]].
    + apply (E0 m tr); [apply there_inside; assumption |]. rewrite sem_Way.
      exists k. split; [apply window_all | split; [assumption | split; [rewrite step_step; assumption |]]].
      intros j Hj. rewrite step_step. apply Hp. lia.
    + intros j Hj. replace j with 0 by lia. rewrite step_0. apply (E1 m tr i Hi).
  - intros [Hq | [Hp [k [Hw [Hk [Hq _]]]]]]; [apply way_now; auto using window_all |].
    apply window_one in Hw. subst. apply (E0 m tr) in Hq; [| apply there_inside; assumption]. rewrite sem_Way in Hq.
    destruct Hq as [k [_ [Hk' [Hq Hway]]]]. rewrite step_step in Hq. exists (1 + k).
    split; [apply window_all | split; [apply there_step; assumption | split; [assumption |]]].
    intros [|j] Hj; [rewrite step_0; assumption |]. replace (S j) with (1 + j) by lia. rewrite <- step_step. apply Hway. lia.
Qed.

Lemma facts_sound l f : List.In f (facts l) -> valid f.
Proof.
  unfold facts. rewrite in_app_iff, !in_flat_map. intros [[a [_ Ha]] | [a [_ Ha]]].
  - apply in_flat_map in Ha. destruct Ha as [b [_ Hb]]. rewrite !in_app_iff in Hb. destruct Hb as [Hb | [Hb | [Hb | Hb]]].
    + apply (fact2_sound a b); assumption.
    + apply (fact4_sound a b); assumption.
    + apply (fact5_sound a b); assumption.
    + apply (fact6_sound a b); assumption.
  - apply in_flat_map in Ha. destruct Ha as [b [_ Hb]]. apply in_flat_map in Hb. destruct Hb as [c [_ Hc]].
    apply (fact3_sound a b c); assumption.
Qed.

End Facts.

(** ** Formulas that are always true *)

Section Decide.
Variables same_sure fact_sure : form -> bool.
Hypothesis same_sure_sound : forall f, same_sure f = true -> valid f.
Hypothesis fact_sure_sound : forall f, fact_sure f = true -> valid f.

(** Without facts, with facts about single formulas, and with all facts: the
    next only if the last one fails. *)
Definition decide (f : form) : bool :=
  let same := same_way same_sure in
  let l := variables same f [] in
  follows same l [] f ||| follows same l (flat_map fact1 l) f.

(** The propositions in the operands of temporal formulas. *)
Fixpoint operands (l : list form) : list form :=
  match l with
  | [] => []
  | f :: l =>
      match as_way f with
      | Some (_, _, p, q) => variables form_eqb (And p q) (operands l)
      | None => operands l
      end
  end.

Definition decide_fully (f : form) : bool :=
  decide f |||
  (let same := same_way same_sure in
   let l := variables same f [] in
   let l' := fold_right (fun a l => match a with Var _ => variables same a l | _ => l end) l (operands l) in
   follows same l' (flat_map fact1 l) f |||
   follows same l (flat_map fact1 l ++ facts fact_sure l) f).

Lemma facts1_sound l f : List.In f (flat_map fact1 l) -> valid f.
Proof. intros Hin. apply in_flat_map in Hin. destruct Hin as [a [_ Ha]]. apply (fact1_sound a). assumption. Qed.

Lemma decide_sound f : decide f = true -> valid f.
Proof.
  unfold decide. cbv zeta. rewrite either_true.
  intros [E | E]; (eapply follows_sound; [exact (same_way_sound same_sure same_sure_sound) | | exact E]).
  - intros g [].
  - apply facts1_sound.
Qed.

Lemma decide_fully_sound f : decide_fully f = true -> valid f.
Proof.
  unfold decide_fully. cbv zeta. rewrite !either_true. intros [E | [E | E]]; [apply decide_sound; assumption | |];
    (eapply follows_sound; [exact (same_way_sound same_sure same_sure_sound) | | exact E]); [apply facts1_sound |].
  intros g Hg. apply in_app_or in Hg. destruct Hg as [Hg | Hg]; [apply (facts1_sound _ _ Hg) |].
  apply (facts_sound fact_sure fact_sure_sound _ _ Hg).
Qed.
End Decide.

(** Formulas are compared to this depth of temporal operators. *)
Fixpoint quick (depth : nat) : form -> bool :=
  match depth with
  | 0 => decide (fun _ => false)
  | S depth => decide (quick depth)
  end.

Lemma quick_sound depth f : quick depth f = true -> valid f.
Proof. revert f. induction depth as [|depth IH]; intros f; simpl; apply decide_sound; [discriminate | assumption]. Qed.

Fixpoint sure (depth : nat) : form -> bool :=
  match depth with
  | 0 => decide (fun _ => false)
  | S depth => decide_fully (sure depth) (quick depth)
  end.

Lemma sure_sound depth f : sure depth f = true -> valid f.
Proof.
  revert f. induction depth as [|depth IH]; intros f; simpl; [apply decide_sound; discriminate |].
  apply decide_fully_sound; [assumption | apply quick_sound].
Qed.
